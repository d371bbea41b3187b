/**
 * Changes members of a JSON object in its text, so that everything else stays as it was written, byte for byte: a
 * vendor's cache compares texts, and numbers and repeated names do not survive being parsed.
 */

interface Member {
  name: string
  start: number
  /** Start of the value. */
  value: number
  end: number
}

/**
 * @param text  valid JSON, an object
 * @param changes  new values as JSON by name; null removes the member, and a name that is not there is appended
 */
export function withMembers(
  text: string,
  changes: Readonly<Record<string, string | null>>,
): string {
  const members = membersOf(text)
  const isRemoved = ({ name }: Member) => Object.hasOwn(changes, name) && changes[name] === null
  const lastKept = members.findLast((member) => !isRemoved(member))
  let result = ''
  let copied = 0
  for (const [place, member] of members.entries()) {
    if (lastKept === undefined || member.start > lastKept.start) break
    if (isRemoved(member)) {
      result += text.slice(copied, member.start)
      copied = members[place + 1]?.start ?? member.end
      continue
    }
    const changed = Object.hasOwn(changes, member.name) ? changes[member.name] : undefined
    if (typeof changed !== 'string') continue
    result += `${text.slice(copied, member.start)}${JSON.stringify(member.name)}:${changed}`
    copied = member.end
  }
  const added = Object.entries(changes).flatMap(([name, value]) =>
    value === null || members.some((member) => member.name === name)
      ? []
      : [`${JSON.stringify(name)}:${value}`],
  )
  if (lastKept === undefined) return `{${added.join(',')}}`
  result += text.slice(copied, lastKept.end)
  const end = members.at(-1)?.end ?? lastKept.end
  return [result, ...added].join(',') + text.slice(end)
}

/** @param text  valid JSON, an object. @returns a name that several of its members have; null when all differ */
export function repeatedName(text: string): string | null {
  const names = new Set<string>()
  for (const { name } of membersOf(text)) {
    if (names.has(name)) return name
    names.add(name)
  }
  return null
}

/** The JSON of one member, as it was written; null without it. */
export function memberText(text: string, name: string): string | null {
  const found = membersOf(text).find((member) => member.name === name)
  return found === undefined ? null : text.slice(found.value, found.end)
}

function membersOf(text: string): Member[] {
  const members: Member[] = []
  let at = skipSpace(text, text.indexOf('{') + 1)
  while (text[at] === '"') {
    const nameEnd = stringEnd(text, at)
    // The text between two quotes is a string.
    const name = JSON.parse(text.slice(at, nameEnd)) as string
    const value = skipSpace(text, text.indexOf(':', nameEnd) + 1)
    const end = valueEnd(text, value)
    members.push({ name, start: at, value, end })
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return members
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1
  return at
}

/** @param from  its first quote. @returns the place after its last one */
function stringEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return text.length
}

function valueEnd(text: string, from: number): number {
  if (text[from] === '"') return stringEnd(text, from)
  let depth = 0
  let at = from
  while (at < text.length) {
    const character = text[at]
    if (character === '"') {
      at = stringEnd(text, at)
      continue
    }
    if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') {
      if (depth === 0) return at
      depth -= 1
      if (depth === 0) return at + 1
    } else if (depth === 0 && (character === ',' || ' \t\r\n'.includes(character ?? ''))) return at
    at += 1
  }
  return at
}
