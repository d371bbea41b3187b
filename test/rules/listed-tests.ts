/** Documents that list tests: `- a heading`, then `  - \`file\`: \`title\`` for each of its tests. */

export interface ListedTest {
  file: string
  title: string
}

export interface ListedItem {
  heading: string
  tests: ListedTest[]
  /** Lines that are not in the form of a test. */
  otherLines: string[]
}

export function readListedTests(markdown: string): ListedItem[] {
  return markdown
    .split(/^- /m)
    .slice(1)
    .map((text) => {
      const [heading = '', ...rest] = text.split('\n')
      const lines = rest.filter((line) => line.startsWith('  - '))
      const tests = lines.flatMap((line) => readTest(line) ?? [])
      return { heading, tests, otherLines: lines.filter((line) => readTest(line) === null) }
    })
}

function readTest(line: string): ListedTest | null {
  const [, file, title] = /^ {2}- `([^`]+\.ts)`: `([^`]+)`$/.exec(line) ?? []
  return file === undefined || title === undefined ? null : { file, title }
}
