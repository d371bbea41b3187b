/** Each command has a test that runs the real program. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'

test('each command is run by a test of this folder', async () => {
  const { run } = newModelport()
  const helpOf = async (...command: string[]) =>
    namesIn((await run([...command, '--help'])).stdout).map((name) => [...command, name])
  const first = await helpOf()
  const groups = await Promise.all(first.map(async (command) => helpOf(...command)))
  const commands = first.flatMap((command, index) => {
    const within = groups[index] ?? []
    return within.length === 0 ? [command] : within
  })
  const sources = testsOfThisFolder()
  const untested = commands.filter((command) => !sources.includes(asWritten(command)))

  expect(commands.length).toBeGreaterThan(25)
  expect(untested).toEqual([])
})

/** The commands in a help text: lines indented by two that start with the name. */
function namesIn(help: string): string[] {
  const [, list = ''] = help.split('\nCommands:\n')
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].flatMap(([, name]) =>
    name === undefined || name === 'help' ? [] : [name],
  )
}

function testsOfThisFolder(): string {
  const folder = import.meta.dirname
  const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
}

/** The command as tests write it in arguments: `'router', 'list'`. */
function asWritten(command: readonly string[]): string {
  return command.map((word) => `'${word}'`).join(', ')
}
