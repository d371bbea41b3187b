/** Documents that list tests: `- a heading`, then `  - \`file\`` for each file with tests of it. */

export interface ListedItem {
  heading: string
  /** Paths from the root of the repository. */
  tests: string[]
  /** Lines that are not in the form of a file. */
  otherLines: string[]
}

export function readListedTests(markdown: string): ListedItem[] {
  return markdown
    .split(/^- /m)
    .slice(1)
    .map((text) => {
      const [heading = '', ...rest] = text.split('\n')
      const lines = rest.filter((line) => line.startsWith('  - '))
      return {
        heading,
        tests: lines.flatMap((line) => readFile(line) ?? []),
        otherLines: lines.filter((line) => readFile(line) === null),
      }
    })
}

function readFile(line: string): string | null {
  return /^ {2}- `([^`]+\.ts)`$/.exec(line)?.[1] ?? null
}

/** Whether a source has tests, or a suite that test files run. */
export function hasTests(source: string): boolean {
  return /\b(?:test|describe\w*)[.(]/.test(source)
}
