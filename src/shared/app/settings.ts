/**
 * All settings with their schema, default and label. The Settings page, the `settings` command and
 * the store derive from this table. Stored as key and JSON value, so a new one needs no migration.
 */
import { z } from 'zod'
import { formatLocales } from '../strings/format-locales.ts'
import { ownModelSchema } from '../models/local-models.ts'

const hostName = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/i,
    'Enter a host name',
  )

/** An origin as a browser sends it. `null` is not allowed, because every sandboxed frame has this origin. */
export const webOriginSchema = z
  .string()
  .max(300)
  .regex(
    /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\"'<>`]+$/i,
    'Enter an origin such as https://app.example.com, without a path or trailing slash',
  )

/**
 * Error for a proxy's address. It must not have credentials: settings contain no secrets. HTTPS_PROXY may have them.
 */
const proxyMessage =
  'Enter a proxy address such as http://proxy:3128, without user, password or path'
const proxyAddress = z
  .url({ protocol: /^https?$/, error: proxyMessage })
  .max(300)
  .refine(isBareOrigin, proxyMessage)

function isBareOrigin(address: string): boolean {
  if (!isWithoutCredentials(address)) return false
  const { pathname, search, hash } = new URL(address)
  return search + hash === '' && pathname === '/'
}

/** False for a text that is no address, because zod calls refinements with it too. */
function isWithoutCredentials(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return username + password === ''
}

const webhookMessage =
  'Enter an address such as https://hooks.example.com/budget, without user or password'

export const greatestBodyLimitMib = 512
/** The highest limit of requests in progress that can be set. */
export const mostConcurrentRequests = 100_000

const portMessage = 'Choose a port from 0 to 65535'
export const portSchema = z.int(portMessage).min(0, portMessage).max(65_535, portMessage)

export const settings = {
  port: {
    schema: portSchema,
    default: 6778,
    label: 'Port of the HTTPS endpoint (0 for any free port)',
  },
  httpPort: {
    schema: portSchema.nullable(),
    default: null,
    label: 'Port for unencrypted HTTP, reachable from this computer only (off by default)',
  },
  updates: {
    schema: z.enum(['off', 'manual', 'daily']),
    default: 'manual',
    label:
      'Updates of the desktop app: “off”, “manual” to check on request only, “daily” to check once a day',
  },
  theme: {
    schema: z.enum(['system', 'light', 'dark']),
    default: 'system',
    label: 'Theme',
  },
  keepInTray: {
    schema: z.boolean(),
    default: true,
    label: 'Keep serving when the window is closed, with an icon in the system tray',
  },
  notifyProviders: {
    schema: z.boolean(),
    default: true,
    label: 'Notify when a provider rejects its key or has no credit left',
  },
  notifyBudgets: {
    schema: z.boolean(),
    default: true,
    label: 'Notify when 50, 80 and 100 % of a budget are used',
  },
  alertWebhook: {
    schema: z
      .url({ protocol: /^https?$/, error: webhookMessage })
      .max(2_000)
      .refine(isWithoutCredentials, webhookMessage)
      .nullable(),
    default: null,
    label: 'Address to which alerts about budgets are posted as JSON (null for none)',
  },
  alertWebhookPrivateNetwork: {
    schema: z.boolean(),
    default: false,
    label: 'Allow a webhook in a private network',
  },
  notifyFallbacks: {
    schema: z.boolean(),
    default: true,
    label: 'Notify when other models keep answering for a failing one',
  },
  notifyCertificate: {
    schema: z.boolean(),
    default: true,
    label: 'Notify when the certificate is near its end',
  },
  notifyUnexpectedCalls: {
    schema: z.boolean(),
    default: true,
    label:
      'Notify when a key is used by another program, from another address or far more than usual',
  },
  density: {
    schema: z.enum(['comfortable', 'compact']),
    default: 'comfortable',
    label: 'Density of the window: comfortable, or compact for more rows',
  },
  locale: {
    schema: z.union([z.literal('system'), z.enum(formatLocales)]),
    default: 'system',
    label: 'Format of numbers, money and dates in the window, as in this locale',
  },
  allowedOrigins: {
    schema: z.array(webOriginSchema).max(100),
    default: [],
    label: 'Web origins that may call the endpoint',
  },
  allowedHosts: {
    // The certificate includes them, so an invalid name would keep the endpoint from starting.
    schema: z.array(z.union([hostName, z.ipv6()])),
    default: [],
    label: 'Additional host names of the endpoint',
  },
  bodyLimitMib: {
    schema: z.int().min(1).max(greatestBodyLimitMib),
    default: 32,
    label: 'Maximum request body in MiB',
  },
  concurrentRequests: {
    schema: z.int().min(1).max(mostConcurrentRequests),
    default: 10_000,
    label: 'Maximum number of requests in progress at once',
  },
  concurrentRequestsPerKey: {
    schema: z.int().min(1).max(mostConcurrentRequests),
    default: 2_000,
    label: 'Maximum number of requests in progress at once for each API key',
  },
  fastLane: {
    schema: z.boolean(),
    default: true,
    label: 'Serve ordinary chat requests on the fast path; off: the general HTTP server serves all',
  },
  promptCaching: {
    schema: z.boolean(),
    default: true,
    label:
      'Mark prompts for the vendor’s cache where the caller does not and it is expected to save money',
  },
  outboundProxy: {
    schema: z.union([z.literal('direct'), proxyAddress]).nullable(),
    default: null,
    label: 'Proxy for providers: http://host:port, direct, or null to use HTTPS_PROXY',
  },
  keepRequestsDays: {
    schema: z.int().min(1).max(36_500),
    default: 90,
    label: 'Days to keep single requests',
  },
  keepMinutesDays: {
    schema: z.int().min(1).max(36_500),
    default: 2,
    label: 'Days to keep totals per minute',
  },
  keepHoursDays: {
    schema: z.int().min(1).max(36_500),
    default: 90,
    label: 'Days to keep totals per hour (totals per day are kept forever)',
  },
  databaseLimitMib: {
    schema: z.int().min(16).max(1_048_576),
    default: 2048,
    label: 'Database size in MiB above which the oldest requests are deleted',
  },
  dailyBackup: {
    schema: z.boolean(),
    default: true,
    label: 'Copy the database once a day and keep the copies of seven days',
  },
  durability: {
    schema: z.enum(['fast', 'strict']),
    default: 'fast',
    label:
      'Request records: “strict” writes each to disk before its answer ends, “fast” up to a tenth of a second after (a crash can lose those)',
  },
  signalFormat: {
    schema: z.boolean(),
    default: true,
    label: 'Learn from JSON that is, or is not, what the request asked for',
  },
  signalToolCall: {
    schema: z.boolean(),
    default: true,
    label: 'Learn from tool calls whose arguments match their definition or do not',
  },
  signalEmpty: {
    schema: z.boolean(),
    default: true,
    label: 'Learn from empty answers',
  },
  signalCutOff: {
    schema: z.boolean(),
    default: true,
    label: 'Learn from answers that are cut off before the length that the request allows',
  },
  signalRefused: {
    schema: z.boolean(),
    default: true,
    label: 'Learn from refusals and filtered answers',
  },
  signalAskedAgain: {
    schema: z.boolean(),
    default: false,
    label: 'Learn from questions that are repeated within five minutes',
  },
  signalStepRepeated: {
    schema: z.boolean(),
    default: true,
    label: 'Learn from agents’ steps that are repeated because their check failed',
  },
  localModelFile: {
    schema: z.string().nullable(),
    default: null,
    label: 'Model file (GGUF) to use instead of the built-in model',
  },
  localModelFiles: {
    schema: z.array(ownModelSchema).max(100),
    default: [],
    label: 'Model files that you added, with what they say about themselves (modelport local add)',
  },
  localContextTokens: {
    schema: z.int().min(512).max(1_048_576),
    default: 8192,
    label: 'Longest context of local models in tokens; longer ones need more memory',
  },
  localModelGpu: {
    schema: z.enum(['auto', 'off']),
    default: 'auto',
    label: 'Use a graphics processor for local models, if there is one',
  },
} as const satisfies Record<string, { schema: z.ZodType; default: unknown; label: string }>

export type SettingName = keyof typeof settings
export type Settings = { [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> }
