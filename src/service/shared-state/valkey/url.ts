/** The address of a Valkey or Redis server. */

export interface ValkeyAddress {
  host: string
  port: number
  isTls: boolean
  username: string | null
  password: string | null
  database: number
}

const usualPort = 6379
const schemes: Readonly<Record<string, { isTls: boolean }>> = {
  'valkey:': { isTls: false },
  'redis:': { isTls: false },
  'valkeys:': { isTls: true },
  'rediss:': { isTls: true },
}

/** @returns null unless it is `valkey://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]`, or `redis`, `valkeys` or `rediss` */
export function readValkeyUrl(text: string): ValkeyAddress | null {
  const url = URL.canParse(text) ? new URL(text) : null
  const scheme = schemes[url?.protocol ?? '']
  if (url === null || scheme === undefined || url.hostname === '') return null
  const database = /^\/?(\d{0,4})$/.exec(url.pathname)?.[1]
  if (database === undefined || url.search !== '' || url.hash !== '') return null
  const credentials = readCredentials(url)
  if (credentials === null) return null
  return {
    // The brackets of an IPv6 address belong to the URL.
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? usualPort : Number(url.port),
    ...scheme,
    ...credentials,
    database: Number(database),
  }
}

/** @returns null for text that is not percent-encoded correctly */
function readCredentials({
  username,
  password,
}: URL): Pick<ValkeyAddress, 'username' | 'password'> | null {
  try {
    return {
      username: username === '' ? null : decodeURIComponent(username),
      password: password === '' ? null : decodeURIComponent(password),
    }
  } catch {
    return null
  }
}
