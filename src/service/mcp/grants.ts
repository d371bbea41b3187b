/** What the user allowed for ever for one argument of a tool: a folder, or a host. Nothing is read from the disk. */
import { posix, win32 } from 'node:path'
import type { ToolGrant } from '../../shared/chat/tools.ts'

type Args = Readonly<Record<string, unknown>>
type Place = Pick<ToolGrant, 'kind' | 'within'>

/** Words in the names of arguments that are programs, which can do anything from any folder. */
const programs =
  /^(args|argv|bash|cmd|code|commands?|exec|powershell|program|python|scripts?|shell)$/i

/** For each argument that is a path or an https address, the folder or the host that could be allowed. */
export function offeredGrants(args: Args): ToolGrant[] {
  if (runsPrograms(args)) return []
  return Object.entries(args).flatMap(([argument, value]) => {
    const place = typeof value === 'string' ? placeOf(value) : null
    return place === null ? [] : [{ argument, ...place }]
  })
}

/** Whether an argument is within its grant, and no other text of the arguments leads out of it. */
export function isGranted(grants: readonly ToolGrant[], args: Args): boolean {
  if (grants.length === 0 || runsPrograms(args)) return false
  const others = textsOf(args).filter(leadsSomewhere)
  return grants.some((grant) => {
    const value = args[grant.argument]
    return typeof value === 'string' && [value, ...others].every((text) => isWithin(text, grant))
  })
}

/** At any depth: of a list of steps, each may run one. */
function runsPrograms(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, each]) => {
    const words = key.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/)
    return words.some((word) => programs.test(word)) || runsPrograms(each)
  })
}

/** The folder of an absolute path, or the host of an https address; null for other texts and for the root. */
function placeOf(text: string): Place | null {
  const host = hostOf(text)
  if (host !== null) return { kind: 'host', within: host }
  const path = pathOf(text)
  if (path === null) return null
  const { dirname, parse } = parserOf(path)
  const within = dirname(path)
  return within === parse(path).root ? null : { kind: 'folder', within }
}

function isWithin(text: string, { kind, within }: ToolGrant): boolean {
  if (kind === 'host') return hostOf(text) === within
  const path = pathOf(text)
  return path !== null && path.startsWith(within + parserOf(within).sep)
}

/** A host with its port. Addresses with a name or password are none: their host is easily misread. */
function hostOf(text: string): string | null {
  if (!/^https:\/\/[^\s\\]+$/i.test(text)) return null
  const url = URL.parse(text)
  return url && url.username === '' && url.password === '' ? url.host : null
}

/** The absolute path without `.` and `..`; null for a relative one. */
function pathOf(text: string): string | null {
  if (/[\0\n\r]/.test(text)) return null
  const { isAbsolute, normalize } = parserOf(text)
  if (!isAbsolute(text) || text.startsWith(String.raw`\\`)) return null
  return normalize(text)
}

function parserOf(path: string): typeof posix {
  return /^[a-z]:[\\/]/i.test(path) ? win32 : posix
}

/**
 * Paths and addresses of any kind, also relative ones and those without a scheme. A word that only looks like one costs a
 * question.
 */
function leadsSomewhere(text: string): boolean {
  const word = text.trim()
  const isAddress = /^([/~\\$%]|\.([/\\]|$)|[a-z][a-z0-9+.-]*:)|(^|[/\\])\.\.([/\\]|$)/i.test(word)
  return isAddress || (!/\s/.test(word) && /[/\\]|^\.|\.[a-z]/i.test(word))
}

/** The texts of a value; keys of the tool's own objects can be paths as well. */
function textsOf(value: unknown, isOuter = true): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const keys = isOuter || Array.isArray(value) ? [] : Object.keys(value)
  return [...keys, ...Object.values(value).flatMap((each) => textsOf(each, false))]
}
