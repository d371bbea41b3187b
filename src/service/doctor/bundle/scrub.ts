/** Removes what identifies a person, a computer or a company from a text. */
import { isIPv6 } from 'node:net'
import { pathToFileURL } from 'node:url'

export interface ScrubOptions {
  dataDir: string
  home: string
  userName: string
  hostName: string
  /** Hosts of public vendors, which stay. */
  publicHosts: ReadonlySet<string>
  /** Hosts from the settings and the environment, which may be single words such as `nas`. */
  privateHosts: readonly string[]
  /** Paths outside the home and data folders, such as a model's file. */
  privatePaths: readonly string[]
}

/** Matches a UUID. Those of requests identify no person. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const fileName = /\.(ts|mts|mjs|cjs|js|json|db|log|pem|gguf|node|asar|lock|md|sh|exe|so|cpp)$/i
const thisComputer = /^(localhost|127(\.\d{1,3}){3}|\[?::1?\]?)$/i

type Replacement = (text: string) => string

/** @returns a function that replaces names, addresses and everything that looks like a key */
export function createScrubber(options: ScrubOptions): Replacement {
  const { dataDir, home, userName, hostName, publicHosts, privateHosts, privatePaths } = options
  const stays = (host: string) => publicHosts.has(host) || thisComputer.test(host)
  const replacements = [
    replacePath(dataDir, '(data folder)'),
    ...privatePaths.map((path) => replacePath(path, '(file)')),
    replacePath(home, '~'),
    replaceAuthorities(stays),
    replaceKeys,
    replaceAddresses,
    replaceHostNames(stays),
    ...privateHosts.filter((host) => !stays(host)).map((host) => replaceWord(host, '(host)')),
    replaceWord(userName, '(user)'),
    replaceWord(hostName, '(computer)'),
  ]
  return (text) => replacements.reduce((clean, replace) => replace(clean), text)
}

/** Replaces a path in all forms in which messages, stack frames and JSON show it. */
function replacePath(path: string, shown: string): Replacement {
  if (path.length < 2) return (text) => text
  const plain = ['NFC', 'NFD'].map((form) => path.normalize(form))
  const forms = plain.flatMap((one) => [
    one,
    JSON.stringify(one).slice(1, -1),
    encodeURI(one),
    pathToFileURL(one).pathname,
  ])
  const pattern = new RegExp([...new Set(forms)].map(escaped).join('|'), 'gi')
  return (text) => text.replaceAll(pattern, shown)
}

/** Hosts in URLs, also those of one word, with the user and password before them. */
function replaceAuthorities(stays: (host: string) => boolean): Replacement {
  return (text) =>
    text.replaceAll(
      /\b((?:https?|wss?|socks\w*):\/\/)([^\s/?#"'<>(),\\]+)/gi,
      (_, scheme: string, authority: string) => {
        const address = authority.slice(authority.lastIndexOf('@') + 1)
        const host = address.replace(/:\d*$/, '')
        return stays(host) ? `${scheme}${address}` : `${scheme}(host)${address.slice(host.length)}`
      },
    )
}

function replaceKeys(text: string): string {
  return text
    .replaceAll(/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, '(email)')
    .replaceAll(/\b(mp|sk|pk|key|xai|gsk|hf)[-_][\w-]{8,}/g, '(key)')
    .replaceAll(/\bAIza[\w-]{8,}/g, '(key)')
    .replaceAll(/[\w+=-]{20,}/g, (word) => (looksLikeKey(word) ? '(removed)' : word))
}

/** Whether a word looks like a key. Short words with hyphens name models, such as `claude-sonnet-4-20250514`. */
function looksLikeKey(word: string): boolean {
  if (uuid.test(word)) return false
  if (word.length >= 32) return true
  const isMixed = /[a-z]/.test(word) && /[A-Z]/.test(word)
  return /\d/.test(word) && (isMixed || /^[a-z\d]+$/i.test(word))
}

function replaceAddresses(text: string): string {
  return text
    .replaceAll(/[\da-f]*(?::[\da-f]*){2,}(?:\.\d+){0,3}(?:%[\w.-]+)?/gi, withoutIpv6)
    .replaceAll(/\b\d{1,3}(\.\d{1,3}){3}\b/g, (ip) => (ip.startsWith('127.') ? ip : '(address)'))
}

/** @param text  may end with a port or a colon that is not part of the address */
function withoutIpv6(text: string): string {
  for (let end = text.length; end > 2; end = text.lastIndexOf(':', end - 1)) {
    const address = text.slice(0, end)
    if (thisComputer.test(address)) return text
    if (isIPv6(address)) return `(address)${text.slice(end)}`
  }
  return text
}

function replaceHostNames(stays: (host: string) => boolean): Replacement {
  return (text) =>
    text.replaceAll(/[\w-]+(\.[\w-]+)*\.[a-z]{2,}\b/gi, (host) =>
      stays(host) || fileName.test(host) ? host : '(host)',
    )
}

/** Paths of the user's own that no setting names, such as a file with a secret. */
export function replaceOtherPaths(text: string): string {
  return text.replaceAll(
    /(?<![\w~).:/\\])(?!\/v1\/)(?:\/[^\s/"'<>]+){2,}|\b[A-Za-z]:\\[^\s"'<>]+/g,
    '(file)',
  )
}

export function replaceWord(word: string, shown: string): Replacement {
  if (word === '') return (text) => text
  const forms = [...new Set([word, encodeURIComponent(word)])].map(escaped).join('|')
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${forms})(?![\\p{L}\\p{N}_])`, 'giu')
  return (text) => text.replaceAll(pattern, shown)
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
}
