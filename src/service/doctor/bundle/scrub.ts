/** Removes what identifies a person, a computer or a company from a text. */

export interface ScrubOptions {
  dataDir: string
  home: string
  userName: string
  hostName: string
  /** Hosts of public vendors, which stay. */
  publicHosts: ReadonlySet<string>
}

/** A UUID of a request says nothing about anybody. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const fileName = /\.(ts|mts|mjs|cjs|js|json|db|log|pem|gguf|node|asar|lock|md|sh|exe|so)$/i

/** @returns a function that replaces names, addresses and everything that looks like a key */
export function createScrubber(options: ScrubOptions): (text: string) => string {
  const { dataDir, home, userName, hostName, publicHosts } = options
  const literal: [string, string][] = [
    [dataDir, '(data folder)'],
    [home, '~'],
  ]
  const words: [string, string][] = [
    [userName, '(user)'],
    [hostName, '(computer)'],
  ]
  return (text) => {
    let clean = text
    for (const [name, shown] of literal) if (name.length > 1) clean = clean.replaceAll(name, shown)
    clean = clean
      .replaceAll(/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, '(email)')
      .replaceAll(/\b(mp|sk|pk|key|xai|gsk|hf|AIza)[-_][\w-]{8,}/g, '(key)')
      .replaceAll(/[\w+=-]{32,}/g, (match) => (uuid.test(match) ? match : '(removed)'))
      .replaceAll(/\b\d{1,3}(\.\d{1,3}){3}\b/g, (ip) => (ip.startsWith('127.') ? ip : '(address)'))
      .replaceAll(/[\w-]+(\.[\w-]+)*\.[a-z]{2,}\b/gi, (host) =>
        publicHosts.has(host) || fileName.test(host) ? host : '(host)',
      )
    for (const [name, shown] of words) {
      if (name.length > 2) clean = clean.replaceAll(wholeWord(name), shown)
    }
    return clean
  }
}

function wholeWord(name: string): RegExp {
  return new RegExp(`(?<![\\w.])${escaped(name)}(?![\\w.])`, 'gi')
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
}
