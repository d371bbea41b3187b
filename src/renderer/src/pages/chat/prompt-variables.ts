/** Variables of a prompt: `{{name}}`, with any letters and spaces in the name. */
const variable = /\{\{\s*([^{}]+?)\s*\}\}/g

/** Their names, each once, in the order of the text. */
export function variablesOf(text: string): string[] {
  return [...new Set([...text.matchAll(variable)].map(([, name = '']) => name))]
}

/** The text with the values in place of the variables. A variable without a value stays. */
export function fillVariables(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(variable, (whole, name: string) => values[name] ?? whole)
}
