/**
 * The client that MCP's conformance suite runs: the connections and the sign-in of the chat's tools, without a window. The
 * suite appends the server's address, and names the scenario in its environment.
 */
import { connect } from '../../src/service/mcp/connection.ts'
import { SignIn } from '../../src/service/mcp/sign-in.ts'

const address = process.argv.at(-1) ?? ''
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const context: unknown = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}')

const redirectUrl = 'http://localhost:3000/callback'
let kept: unknown = null
let returned = new URLSearchParams()

const signIn = new SignIn({
  redirectUrl,
  secrets: {
    read: async () => kept,
    async write(_name, value) {
      kept = structuredClone(value)
    },
  },
  // The suite's servers answer at once with the address that a browser would return to.
  async openBrowser(to) {
    const answer = await fetch(to, { redirect: 'manual' })
    returned = new URL(answer.headers.get('location') ?? redirectUrl).searchParams
  },
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
})

const samples: Readonly<Record<string, unknown>> = {
  string: 'test',
  number: 5,
  integer: 5,
  boolean: true,
  array: [],
  object: {},
}

prepare()
const connection = await connect(
  {
    kind: 'http',
    url: address,
    headers: {},
    signIn: scenario.startsWith('auth/') ? signIn : undefined,
    createFetch: () => (url, init) => fetch(url, init),
  },
  {
    version: '1',
    onToolsChanged: () => {},
    onClosed: () => {},
    signal: AbortSignal.timeout(60_000),
  },
  () => signIn.finish(async () => returned),
)
const signal = AbortSignal.timeout(60_000)
const tools = await connection.listTools(signal)
const usual = tools.map(({ name, inputSchema }) => [name, argumentsFor(inputSchema)] as const)
for (const [name, args] of wantedCalls() ?? usual) {
  const { outcome, text } = await connection.callTool(name, args, {
    signal,
    ask: async () => ({ action: 'accept', content: {} }),
  })
  process.stderr.write(`${name}: ${outcome} ${text.slice(0, 200)}\n`)
}
await connection.close()

/** Uses a client that was registered beforehand, where the scenario gives one. */
function prepare(): void {
  if (typeof context !== 'object' || context === null || !('client_id' in context)) return
  const { client_id, client_secret } = context as { client_id: string; client_secret?: string }
  const client = { client_id, ...(client_secret !== undefined && { client_secret }) }
  Object.assign(signIn, { clientInformation: () => client })
}

/** The calls that the scenario names; null where it names none. */
function wantedCalls(): (readonly [string, Record<string, unknown>])[] | null {
  if (typeof context !== 'object' || context === null || !('toolCalls' in context)) return null
  const calls = context.toolCalls as { name: string; arguments: Record<string, unknown> }[]
  return calls.map((call) => [call.name, call.arguments])
}

interface Schema {
  properties?: Record<string, { type?: string; enum?: unknown[]; default?: unknown }> | undefined
}

/** Some value of the right type for each parameter. */
function argumentsFor(schema: unknown): Record<string, unknown> {
  const { properties = {} } = schema as Schema
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type, enum: values, default: given }]) => {
      const value = given ?? values?.[0] ?? samples[type ?? 'string'] ?? null
      return [name, value]
    }),
  )
}
