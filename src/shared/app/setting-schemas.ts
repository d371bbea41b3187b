/** Checks of settings that are more than a type and a range. */
import { z } from 'zod'
import { t } from '../strings/strings.ts'

export const hostName = z
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
export const proxyAddress = z
  .url({ protocol: /^https?$/, error: proxyMessage })
  .max(300)
  .refine(isBareOrigin, proxyMessage)

function isBareOrigin(address: string): boolean {
  if (!isWithoutCredentials(address)) return false
  const { pathname, search, hash } = new URL(address)
  return search + hash === '' && pathname === '/'
}

/** @returns false for a text that is no address, because zod calls refinements with it too */
function isWithoutCredentials(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return username + password === ''
}

const webhookMessage =
  'Enter an address such as https://hooks.example.com/budget, without user or password'

const portMessage = 'Choose a port from 0 to 65535'
export const portSchema = z.int(portMessage).min(0, portMessage).max(65_535, portMessage)

export const webhookAddress = z
  .url({ protocol: /^https?$/, error: webhookMessage })
  .max(2_000)
  .refine(isWithoutCredentials, webhookMessage)

/** When Modelport looks for a new version. */
export const updateChoices = [
  {
    value: 'manual',
    label: t('On request'),
    hint: t('Modelport checks only when you click “Check for updates”.'),
  },
  {
    value: 'daily',
    label: t('Once a day'),
    hint: t('It tells you about a new version. Downloads still need your click.'),
  },
  { value: 'off', label: t('Off'), hint: t('No check is possible, and nothing connects.') },
] as const
