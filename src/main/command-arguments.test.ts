import { expect, test } from 'vitest'
import { commandArguments, isForQuickEntry } from './command-arguments.ts'

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

test('a start with --ask is for the quick entry', () => {
  expect(isForQuickEntry(['/opt/Modelport/modelport', '--ask', '--no-sandbox'])).toBe(true)
  expect(isForQuickEntry(['/opt/Modelport/modelport', 'modelport://ask'])).toBe(false)
})
