import { createInterface } from 'node:readline'
import { CommandFailed, type Cli } from './cli.ts'

/**
 * Asks for confirmation; stdin may be a terminal or a pipe.
 * @throws CommandFailed unless the answer is yes
 */
export async function confirm(question: string, { stdin, output }: Cli): Promise<void> {
  output.question(`${question} [y/N]`)
  const lines = createInterface({ input: stdin })
  try {
    for await (const line of lines) {
      if (/^y(es)?$/i.test(line.trim())) return
      break
    }
  } finally {
    lines.close()
  }
  throw new CommandFailed('Nothing was changed. Add --yes to skip this question.')
}
