/** The list of mutations in test/rules/mutations.md as values. The page describes its form. */

/** A changed line of the program, and the test that must notice it. */
export interface Mutation {
  /** The effect of the mutation. */
  title: string
  /** Path from the root of the repository. */
  file: string
  /** The whole line, without its indentation. */
  before: string
  after: string
  testFile: string
  /** Preceded by the names of its groups, as vitest joins them. */
  testName: string
}

const fields = ['file', 'before', 'after', 'test file', 'test'] as const

/** @throws Error naming the mutation that lacks a field */
export function readMutations(markdown: string): Mutation[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const title = section.split('\n', 1)[0] ?? ''
      const [file, before, after, testFile, testName] = fields.map((field) => {
        const value = new RegExp(`^- ${field}: \`(.+)\`$`, 'm').exec(section)?.[1]
        if (value === undefined) throw new Error(`"${title}" has no line "- ${field}: \`…\`"`)
        return value
      })
      // Each field exists, because the line above throws otherwise.
      return { title, file, before, after, testFile, testName } as Mutation
    })
}

/** @throws Error when the text does not contain the line exactly once */
export function mutate(text: string, { title, file, before, after }: Mutation): string {
  const lines = text.split('\n')
  const [at, ...more] = lines.flatMap((line, index) => (line.trim() === before ? [index] : []))
  if (at === undefined) throw new Error(`"${title}": ${file} has no line "${before}"`)
  if (more.length > 0) throw new Error(`"${title}": ${file} has the line ${more.length + 1} times`)
  const indent = /^\s*/.exec(lines[at] ?? '')?.[0] ?? ''
  return lines.with(at, indent + after).join('\n')
}
