/** An answer with one code block and a sentence before and after it. */
export function withCode(code: string): string {
  return `Here is the function:\n\n\`\`\`javascript\n${code.trim()}\n\`\`\`\n\nIt handles all cases you listed.`
}
