/** The titles of tests as written in their source, for lists that refer to tests by title. */

/** Titles of tests and groups in source order; those of `test.each` contain their placeholders. */
export function titlesOf(source: string): string[] {
  const plain = String.raw`\b(?:test|describe(?:Provider)?)(?:\.(?:runIf|skipIf)\([^)]*\))?(?:\.\w+)?\(`
  // `test.each(…)(`, whose cases may take many lines: the title is the string that follows them.
  const ofCases = String.raw`\)\(`
  const string = String.raw`\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|${'`'}([^${'`'}]*)${'`'})`
  const calls = source.matchAll(new RegExp(`(?:${plain}|${ofCases})${string},`, 'g'))
  return [...calls].map(([, single, double, template]) => {
    const title = single ?? double ?? template ?? ''
    return title.replaceAll(/\\(.)/g, '$1')
  })
}

/** Whether a test with this name in a run can be the one with this title. */
export function isNamedBy(name: string, title: string): boolean {
  const parts = title.split(/%[sijdf]|\$[\w.]+/)
  const words = parts.map((part) => part.replaceAll(/[^\w ]/g, String.raw`\$&`))
  return new RegExp(`(^| )${words.join('.*')}$`).test(name)
}
