/**
 * Every setting once: its schema, its default, its label. The Settings page, the `settings` command
 * and the store derive from this table. Stored as key and JSON value: no migration for a new one.
 */
import { z } from 'zod'

const hostName = z
  .string()
  .max(253)
  .regex(/^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/i)

/** As a browser sends it. `null`, which any sandboxed frame of any page has, cannot be allowed. */
export const webOriginSchema = z
  .string()
  .max(300)
  .regex(
    /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\"'<>`]+$/i,
    'an origin as browsers send it: https://app.example.com, without a path or a slash at its end',
  )

/** Without credentials, because a setting is no place for a secret: they come with the environment's. */
const proxyAddress = z
  .url({ protocol: /^https?$/ })
  .max(300)
  .refine(isBareOrigin, 'the address of a proxy without user, password and path: http://proxy:3128')

function isBareOrigin(address: string): boolean {
  const { username, password, pathname, search, hash } = new URL(address)
  return username + password + search + hash === '' && pathname === '/'
}

export const greatestBodyLimitMib = 512

export const settings = {
  port: {
    schema: z.int().min(0).max(65_535),
    default: 6778,
    label: 'Port of the HTTPS endpoint (0 takes any free one)',
  },
  httpPort: {
    schema: z.int().min(0).max(65_535).nullable(),
    default: null,
    label: 'Port of plain HTTP on this computer only (outside the HTTPS-only rule; off unless set)',
  },
  theme: {
    schema: z.enum(['system', 'light', 'dark']),
    default: 'system',
    label: 'Appearance',
  },
  allowedOrigins: {
    schema: z.array(webOriginSchema).max(100),
    default: [],
    label: 'Web origins that may call the endpoint',
  },
  allowedHosts: {
    // The certificate is made for them: one that is no host would keep the endpoint from starting.
    schema: z.array(z.union([hostName, z.ipv6()])),
    default: [],
    label: 'Extra host names the endpoint answers to',
  },
  bodyLimitMib: {
    schema: z.int().min(1).max(greatestBodyLimitMib),
    default: 32,
    label: 'Largest request body in MiB',
  },
  outboundProxy: {
    schema: z.union([z.literal('direct'), proxyAddress]).nullable(),
    default: null,
    label: 'Proxy to the providers: http://host:port, direct, or null for HTTPS_PROXY’s',
  },
  keepRequestsDays: {
    schema: z.int().min(1).max(36_500),
    default: 90,
    label: 'Days for which each request is kept by itself',
  },
  keepMinutesDays: {
    schema: z.int().min(1).max(36_500),
    default: 2,
    label: 'Days for which requests are summed up by the minute',
  },
  keepHoursDays: {
    schema: z.int().min(1).max(36_500),
    default: 90,
    label: 'Days for which requests are summed up by the hour (days are kept for ever)',
  },
  databaseLimitMib: {
    schema: z.int().min(16).max(1_048_576),
    default: 2048,
    label: 'Size of the database in MiB beyond which the oldest requests are removed',
  },
  localModelFile: {
    schema: z.string().nullable(),
    default: null,
    label: 'Model file (GGUF) of the built-in local model',
  },
} as const satisfies Record<string, { schema: z.ZodType; default: unknown; label: string }>

export type SettingName = keyof typeof settings
export type Settings = { [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> }
