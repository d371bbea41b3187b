/** The list of test/rules/repairs.md: for each repair, changes of the source that undo it. */
import { parseSync } from 'oxc-parser'

/** One change that undoes a repair, or a part of it. */
export interface UndoneRepair {
  /** The heading of its section, such as `C1 …`. */
  repair: string
  /** What the program does with the change. */
  title: string
  file: string
  before: string
  after: string
  /** Test files that must fail with the change. */
  tests: string[]
  /** A regular expression for the titles of their tests that are run; null for all of them. */
  named: string | null
}

/**
 * Sections are `## repair`, items `### what the change does`, each with a line `- File: …`, a line `- Tests: …` and the
 * change as a diff.
 * @throws Error naming the item that is not in this form
 */
export function readRepairs(markdown: string): UndoneRepair[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [repair = '', ...items] = section.split(/^### /m)
      return items.map((item) => readItem(repair.split('\n')[0] ?? '', item))
    })
}

function readItem(repair: string, text: string): UndoneRepair {
  const title = text.split('\n')[0] ?? ''
  const file = /^- File: `(.+)`$/m.exec(text)?.[1]
  const tests = /^- Tests: ((?:`[^`]+`(?:, )?)+)(?: named `(.+)`)?$/m.exec(text)
  const diff = /^```diff\n(.*?)^```$/ms.exec(text)?.[1]
  if (file === undefined || tests === null || diff === undefined) {
    throw new Error(`"${title}" of ${repair} needs a file, tests and a diff`)
  }
  const lines = diff.split('\n').slice(0, -1)
  const without = (sign: string) =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('')
  return {
    repair,
    title,
    file,
    before: without('+'),
    after: without('-'),
    tests: [...(tests[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    named: tests[2] ?? null,
  }
}

/**
 * The text with the repair undone.
 * @throws Error naming the item whose lines are not in the text exactly once, or whose change does not parse
 */
export function undo(text: string, { repair, title, file, before, after }: UndoneRepair): string {
  const lines = `\n${text}`
  const start = lines.indexOf(`\n${before}`)
  if (start === -1 || lines.includes(`\n${before}`, start + 1)) {
    throw new Error(`the lines of "${title}" (${repair}) are not in ${file} exactly once`)
  }
  const undone = text.slice(0, start) + after + text.slice(start + before.length)
  const isProgram = /\.tsx?$/.test(file)
  if (isProgram && parseSync(file, undone).errors.length > 0) {
    throw new Error(`with "${title}" (${repair}), ${file} cannot be parsed`)
  }
  return undone
}
