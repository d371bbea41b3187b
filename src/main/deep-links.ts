/**
 * Links to a page of the window: `modelport://settings/server`, `modelport://requests?range=7d`. A link opens a page and
 * never does anything else, because any web page can contain one.
 */

const scheme = 'modelport:'
const maxLength = 2_048

/** A path that no page has: the window tells the user that the link is unknown. */
const unknownPath = '/unknown-link'

/** The link among the arguments of a start; null without one. */
export function findLink(argv: readonly string[]): string | null {
  return argv.find((argument) => argument.startsWith(`${scheme}//`)) ?? null
}

/** The page of a link: `/settings/server`. Anything that cannot be a page gives a path that no page has. */
export function pageOfLink(link: string): string {
  if (link.length > maxLength || !URL.canParse(link)) return unknownPath
  const { protocol, username, password, port, hostname, pathname, search } = new URL(link)
  if (protocol !== scheme || username + password + port !== '') return unknownPath
  const path = `/${hostname}${pathname}`.replace(/\/+$/, '').replace(/^\/+/, '/')
  return /^(\/[\w.~%:-]+)+$/.test(path) ? path + search : unknownPath
}
