/**
 * Writes characters beyond Latin-1 as escapes in the built scripts. V8 keeps the source of each script that runs, with
 * two bytes for every character as soon as one needs them: 47 of 1.3 million doubled the largest file of the service.
 */
import { parseSync, Visitor } from 'oxc-parser'
import type { Plugin } from 'vite'

/** With the backslashes before it: one that escapes the character itself must not escape the backslash of `\u`. */
const wide = /(\\*)([^\0-\xff])/g
/** `\u2026` has six characters, so more than one in five would make a source larger. */
const greatestShare = 1 / 5

export function oneByteSources(): Plugin {
  return {
    name: 'one-byte-sources',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk') chunk.code = escapeWide(chunk.fileName, chunk.code)
    },
  }
}

/** Tagged templates stay, because a tag can read a template as it is written. */
export function escapeWide(fileName: string, code: string): string {
  const count = code.match(wide)?.length ?? 0
  if (count === 0 || count > code.length * greatestShare) return code
  let [escaped, end] = ['', 0]
  new Visitor({
    TaggedTemplateExpression({ quasi }) {
      // One inside another is part of it.
      if (quasi.start < end) return
      escaped += escapeAll(code.slice(end, quasi.start)) + code.slice(quasi.start, quasi.end)
      end = quasi.end
    },
  }).visit(parseSync(fileName, code).program)
  return escaped + escapeAll(code.slice(end))
}

function escapeAll(text: string): string {
  return text.replaceAll(wide, (_, backslashes: string, character: string) => {
    const kept = backslashes.slice(backslashes.length % 2)
    return `${kept}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
