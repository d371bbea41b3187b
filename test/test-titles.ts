/** The names of tests as they are written in a test's source, for lists that refer to tests by name. */

/**
 * Titles of tests and of their groups, in the order of the source; those of `test.each` with their
 * placeholders.
 */
export function titlesOf(source: string): string[] {
  const plain = String.raw`\b(?:test|describe)(?:\.(?:runIf|skipIf)\([^)]*\))?(?:\.\w+)?\(`
  // `test.each(…)(`, whose cases may take many lines: what counts is the string right after them.
  const ofCases = String.raw`\)\(`
  const string = String.raw`\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|${'`'}([^${'`'}]*)${'`'})`
  const calls = source.matchAll(new RegExp(`(?:${plain}|${ofCases})${string},`, 'g'))
  return [...calls].map(([, single, double, template]) => {
    const title = single ?? double ?? template ?? ''
    return title.replaceAll(/\\(.)/g, '$1')
  })
}

/** Whether a test that ran under this name may be the one with this title. */
export function isNamedBy(name: string, title: string): boolean {
  const parts = title.split(/%[sijdf]|\$[\w.]+/)
  const words = parts.map((part) => part.replaceAll(/[^\w ]/g, String.raw`\$&`))
  return new RegExp(`(^| )${words.join('.*')}$`).test(name)
}
