import { createInterface } from 'node:readline'
import { CommandFailed, type Cli } from './cli.ts'

/**
 * Asks for confirmation; stdin may be a terminal or a pipe.
 * @param questions  each needs its own answer
 * @throws CommandFailed unless every answer is yes
 */
export async function confirm(
  questions: string | readonly string[],
  { stdin, output }: Cli,
): Promise<void> {
  const lines = createInterface({ input: stdin })
  const answers = lines[Symbol.asyncIterator]()
  try {
    for (const question of [questions].flat()) {
      output.question(`${question} [y/N]`)
      const { value = '' } = await answers.next()
      if (/^y(es)?$/i.test(value.trim())) continue
      throw new CommandFailed('Nothing was changed. Add --yes to skip this question.')
    }
  } finally {
    lines.close()
  }
}
