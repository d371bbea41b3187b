/**
 * Files that must not harm anyone: the name, the file, and what the error must name.
 *
 * They are meant for a folder with the provider `mine` at `https://mine.test/v1`, its model `mine:large`, the
 * built-in `local`, and a key in the variable of the provider `waiting`.
 */
type Members = Record<string, unknown>
export type HostileImport = readonly [name: string, file: string | Buffer, refusal: RegExp]

export const good = {
  format: 'modelport-export',
  formatVersion: 1,
  providers: [
    {
      id: 'mine',
      type: 'openai-compatible',
      baseUrl: 'https://mine.test/v1',
      privateNetwork: false,
    },
  ],
  models: [{ id: 'mine:large', inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 1000 }],
  routers: [
    {
      id: 'router_0000000000000009',
      name: 'Imported',
      strategy: 'priority',
      models: ['mine:large'],
      tier: 'pro',
      dailyLimit: null,
      requestsPerMinute: 30,
      budgetUsdPerDay: 0.5,
      budgetUsdPerMonth: null,
    },
  ],
  agents: [],
  settings: { theme: 'dark' },
}

const { providers, models, routers } = good
const [provider] = providers
const [model] = models
const [router] = routers
const whole = (over: Members) => JSON.stringify({ ...good, ...over })
const withProvider = (over: Members) => whole({ providers: [{ ...provider, ...over }] })
const withAddress = (baseUrl: unknown, over: Members = {}) =>
  withProvider({ id: 'new', baseUrl, ...over })
const withModel = (over: Members) => whole({ models: [{ ...model, ...over }] })
const withRouter = (over: Members) => whole({ routers: [{ ...router, ...over }] })
const withPrice = (over: Members) =>
  whole({
    prices: [
      {
        modelId: 'mine:large',
        fromMs: 1,
        inputUsdPerMtok: 1,
        outputUsdPerMtok: 2,
        cacheReadUsdPerMtok: null,
        cacheWriteUsdPerMtok: null,
        cacheWrite1hUsdPerMtok: null,
        ...over,
      },
    ],
  })
const withSettings = (settings: Members) => whole({ settings })
/** JSON that cannot become an object of this language. */
const replaced = (search: string, text: string) => whole({}).replace(search, text)

const nothingElse: HostileImport[] = [
  ['an empty file', '', /not JSON/],
  ['bytes that are not text', Buffer.from([0xff, 0xfe, 0x00, 0xd8]), /UTF-8/],
  ['zeros', Buffer.alloc(1000), /not JSON/],
  ['a truncated file', whole({}).slice(0, -40), /not JSON/],
  ['two values', whole({}) + whole({}), /not JSON/],
  ['JavaScript', `({ format: "modelport-export" })`, /not JSON/],
  ['YAML', 'format: modelport-export', /not JSON/],
  ['a file over 1 MiB', whole({ note: 'x'.repeat(1024 * 1024) }), /1 MiB/],
  ['a good file after 1 MiB of spaces', ' '.repeat(1024 * 1024) + whole({}), /1 MiB/],
  ['500,000 nested lists', '['.repeat(500_000) + ']'.repeat(500_000), /.+/],
  ['100,000 nested objects', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000), /.+/],
  ['nested lists in place of a name', deepName(), /routers\.0\.name/],
  ['null', 'null', /.+/],
  ['a list', '[]', /.+/],
  ['a number', '1e400', /.+/],
  ['another format', whole({ format: 'other' }), /format/],
  ['a later version', whole({ formatVersion: 2 }), /formatVersion/],
  ['a version as text', whole({ formatVersion: '1' }), /formatVersion/],
  ['no providers', JSON.stringify({ ...good, providers: undefined }), /providers/],
  ['providers as an object', whole({ providers: { mine: provider } }), /providers/],
]

const polluting: HostileImport[] = [
  ['__proto__ at the top', replaced('{', '{"__proto__":{"isAdmin":true},'), /__proto__/],
  [
    '__proto__ in a provider',
    replaced('{"id":"mine"', '{"__proto__":{"x":1},"id":"mine"'),
    /__proto__/,
  ],
  [
    '__proto__ in the settings',
    replaced('{"theme"', '{"__proto__":{"port":1},"theme"'),
    /__proto__/,
  ],
  ['constructor in a router', withRouter({ constructor: { prototype: {} } }), /constructor/],
  ['prototype at the top', whole({ prototype: {} }), /prototype/],
  ['a setting named like a method', withSettings({ toString: 1 }), /toString/],
  ['the id __proto__', withProvider({ id: '__proto__' }), /providers\.0\.id/],
]

const unknown: HostileImport[] = [
  ['a key beside a provider', withProvider({ apiKey: 'sk-evil' }), /apiKey/],
  ['a header beside a provider', withProvider({ extra_headers: { a: 'b' } }), /extra_headers/],
  ['options beside a provider', withProvider({ options: { a: 'b' } }), /options/],
  ['API keys', whole({ apiKeys: [{ id: 'a', sha256: 'a'.repeat(64) }] }), /apiKeys/],
  ['a command', withRouter({ command: 'touch /tmp/x' }), /command/],
  ['an unknown setting', withSettings({ dataDir: '/etc' }), /dataDir/],
  [
    'a proxy for all requests',
    withSettings({ outboundProxy: 'http://evil.test:3128' }),
    /outboundProxy/,
  ],
  ['a path among the settings', withSettings({ localModelFile: '/etc/passwd' }), /localModelFile/],
  ['paths in a list', withSettings({ localModelFiles: [] }), /localModelFiles/],
  ['a name with terminal commands', whole({ '\u001B[2J\u001B]0;x\u0007': 1 }), /\?\[2J/],
]

const bound: HostileImport[] = [
  [
    'another host for a provider',
    withProvider({ baseUrl: 'https://evil.test/v1' }),
    /providers\.0\.baseUrl/,
  ],
  ['another port', withProvider({ baseUrl: 'https://mine.test:8443/v1' }), /providers\.0\.baseUrl/],
  [
    'the same host without TLS',
    withProvider({ baseUrl: 'http://mine.test/v1', privateNetwork: true }),
    /providers\.0\.baseUrl/,
  ],
  [
    'a host with the same beginning',
    withProvider({ baseUrl: 'https://mine.test.evil.test/v1' }),
    /providers\.0\.baseUrl/,
  ],
  [
    'a user that looks like the host',
    withProvider({ baseUrl: 'https://mine.test@evil.test/v1' }),
    /providers\.0\.baseUrl/,
  ],
  [
    'another type for a provider',
    withProvider({ type: 'openai', baseUrl: 'https://mine.test/v1' }),
    /providers\.0\.type/,
  ],
  [
    'a provider whose key is already in a variable',
    withProvider({ id: 'waiting', baseUrl: 'https://evil.test/v1' }),
    /providers\.0\.id/,
  ],
  [
    'a provider type with a fixed address, whose key is already in a variable',
    withProvider({ id: 'waiting', type: 'openai', baseUrl: undefined }),
    /providers\.0\.id/,
  ],
  [
    'an AWS profile of this computer',
    withProvider({
      id: 'aws',
      type: 'bedrock',
      baseUrl: undefined,
      options: { profile: 'work' },
    }),
    /providers\.0\.options\.profile/,
  ],
  [
    'AWS credentials of this computer',
    withProvider({
      id: 'aws',
      type: 'bedrock',
      baseUrl: undefined,
      options: { credentials: 'default-chain' },
    }),
    /providers\.0\.options\.credentials/,
  ],
  [
    'an address for the built-in model',
    withProvider({ id: 'local', baseUrl: 'https://evil.test/' }),
    /providers\.0\.type/,
  ],
]

const addresses: HostileImport[] = [
  ['a file as address', withAddress('file:///etc/passwd'), /providers\.0\.baseUrl/],
  ['a script as address', withAddress('javascript:alert(1)'), /providers\.0\.baseUrl/],
  ['the cloud’s metadata', withAddress('https://169.254.169.254/'), /providers\.0\.baseUrl/],
  [
    'the metadata, allowed by the file',
    withAddress('http://169.254.169.254/', { privateNetwork: true }),
    /providers\.0\.baseUrl/,
  ],
  ['a private network, not allowed', withAddress('https://192.168.1.1/'), /providers\.0\.baseUrl/],
  ['a decimal address', withAddress('https://2852039166/'), /providers\.0\.baseUrl/],
  ['a mapped address', withAddress('https://[::ffff:169.254.169.254]/'), /providers\.0\.baseUrl/],
  ['user and password', withAddress('https://a:b@x.test/'), /providers\.0\.baseUrl/],
  ['plain HTTP over a network', withAddress('http://x.test/v1'), /providers\.0\.baseUrl/],
  ['a number as address', withAddress(42), /providers\.0\.baseUrl/],
  ['no address', withAddress(undefined), /providers\.0\.baseUrl/],
]

const values: HostileImport[] = [
  ['an id with a path', withProvider({ id: '../../etc' }), /providers\.0\.id/],
  ['an id that is reserved', withProvider({ id: 'agent' }), /providers\.0\.id/],
  ['an id of a megabyte', withProvider({ id: 'a'.repeat(1_000_000) }), /providers\.0\.id/],
  ['an unknown type', withProvider({ id: 'new', type: 'shell' }), /providers\.0\.type/],
  ['a provider twice', whole({ providers: [provider, provider] }), /providers\.1\.id/],
  ['a model twice', whole({ models: [model, model] }), /models\.1\.id/],
  ['a router twice', whole({ routers: [router, router] }), /routers\.1\.id/],
  [
    'a price of a model without a provider',
    withPrice({ modelId: 'no:large' }),
    /prices\.0\.modelId/,
  ],
  ['a price from after the end of time', withPrice({ fromMs: 9e15 }), /prices\.0\.fromMs/],
  ['a model of no provider', withModel({ id: 'nobody:x' }), /models\.0\.id/],
  ['a negative price', withModel({ inputUsdPerMtok: -1 }), /models\.0\.inputUsdPerMtok/],
  [
    'a price that is too large',
    withModel({ outputUsdPerMtok: 1e300 }),
    /models\.0\.outputUsdPerMtok/,
  ],
  [
    'an infinite price',
    replaced('"inputUsdPerMtok":1', '"inputUsdPerMtok":1e999'),
    /models\.0\.inputUsdPerMtok/,
  ],
  [
    'a huge whole number',
    replaced('"contextTokens":1000', '"contextTokens":99999999999999999999'),
    /models\.0\.contextTokens/,
  ],
  [
    'an energy figure that is too large',
    withModel({ energyWhPerKtok: 1e308 }),
    /models\.0\.energyWhPerKtok/,
  ],
  [
    'a limit that is not a whole number',
    withRouter({ tier: 'enterprise', dailyLimit: 0.5 }),
    /routers\.0\.dailyLimit/,
  ],
  ['a limit in the wrong tier', withRouter({ dailyLimit: 5 }), /routers\.0\.dailyLimit/],
  [
    'a time limit of 0',
    withRouter({ timeLimits: { firstTokenMs: 0 } }),
    /routers\.0\.timeLimits\.firstTokenMs/,
  ],
  ['an endless cache time', withRouter({ cacheTtlSeconds: 1e9 }), /routers\.0\.cacheTtlSeconds/],
  ['a negative budget', withRouter({ budgetUsdPerDay: -1 }), /routers\.0\.budgetUsdPerDay/],
  ['a router id with SQL', withRouter({ id: "router_'; DROP TABLE--" }), /routers\.0\.id/],
  ['a router without models', withRouter({ models: [] }), /routers\.0\.models/],
  [
    'a router with an unknown model',
    withRouter({ models: ['mine:unknown'] }),
    /routers\.0\.models/,
  ],
  [
    'a router with a model twice',
    withRouter({ models: ['mine:large', 'mine:large'] }),
    /routers\.0\.models/,
  ],
  ['a name of 100,000 letters', withRouter({ name: 'x'.repeat(100_000) }), /routers\.0\.name/],
  ['a port above 65535', withSettings({ port: 65_536 }), /settings\.port/],
  ['a body limit of terabytes', withSettings({ bodyLimitMib: 1e12 }), /settings\.bodyLimitMib/],
]

export const hostileImports: readonly HostileImport[] = [
  ...nothingElse,
  ...polluting,
  ...unknown,
  ...bound,
  ...addresses,
  ...values,
]

function deepName(): string {
  return replaced('"Imported"', '['.repeat(100_000) + ']'.repeat(100_000))
}
