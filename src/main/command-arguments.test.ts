import { expect, test } from 'vitest'
import { commandArguments } from './command-arguments.ts'

const switches = ['/opt/Modelport/modelport', '--ozone-platform=headless', '--command-line']

test('the arguments after -- are those of the command line', () => {
  expect(commandArguments([...switches, '--', 'run', '--', 'tool'])).toEqual(['run', '--', 'tool'])
  expect(commandArguments([...switches, '--'])).toEqual([])
})

test.each([
  [['/opt/Modelport/modelport']],
  [['/opt/Modelport/modelport', 'modelport://settings']],
  [['/opt/Modelport/modelport', '--', '--command-line']],
  [['/opt/Modelport/modelport', '--command-line']],
])('%j starts the desktop app', (argv) => {
  expect(commandArguments(argv)).toBeNull()
})
