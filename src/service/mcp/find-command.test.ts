import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { withCommandProcessor } from './command-processor.ts'
import { findCommand, loginShellPath, serverEnvironment } from './find-command.ts'

function program(file: string, text = '#!/bin/sh\n'): string {
  writeFileSync(file, text)
  chmodSync(file, 0o755)
  return file
}

test('a name is looked up in PATH, and a path from the folder', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'bin'))
  const tool = program(join(folder, 'bin', 'tool'))
  writeFileSync(join(folder, 'tool'), 'no program')
  const places = { cwd: folder, path: `${folder}:relative:${join(folder, 'bin')}`, env: {} }

  expect(await findCommand('tool', places)).toBe(tool)
  expect(await findCommand('./bin/tool', places)).toBe(tool)
  expect(await findCommand(tool, places)).toBe(tool)
  expect(await findCommand('./tool', places)).toBeNull()
  expect(await findCommand('tool; rm -rf x', places)).toBeNull()
})

test('on Windows, a name is the file with an ending that Windows starts', async () => {
  const folder = temporaryFolder()
  program(join(folder, 'npx'))
  const command = program(join(folder, 'npx.CMD'))
  const env = { PATHEXT: '.COM;.EXE;.CMD;' }
  const places = { cwd: folder, path: folder, env, platform: 'win32' } as const

  expect(await findCommand('npx', places)).toBe(command)
  expect(await findCommand('npx.CMD', places)).toBe(command)
})

test('PATH is that of the login shell, whatever it prints beside it', async () => {
  const folder = temporaryFolder()
  const text = '#!/bin/sh\necho Welcome\nPATH="/from/profile:$PATH"\neval "$2"\n'
  const shell = program(join(folder, 'shell'), text)
  expect(await loginShellPath({ PATH: '/usr/bin:/bin', SHELL: shell })).toBe(
    '/from/profile:/usr/bin:/bin',
  )
  expect(await loginShellPath({ PATH: '/bin', SHELL: join(folder, 'none') })).toBe('/bin')
  expect(await loginShellPath({ PATH: '/bin' })).toBe('/bin')
})

test('a program gets no key of a provider', () => {
  const env = { HOME: '/home/user', OPENAI_API_KEY: 'sk', MODELPORT_VAULT_KEY: 'k', PATH: '/x' }
  expect(serverEnvironment(env, '/bin', { TOKEN: 't' })).toEqual({
    HOME: '/home/user',
    PATH: '/bin',
    TOKEN: 't',
  })
})

test('on Windows, a batch file gets its arguments through the command processor unchanged', () => {
  const command = { command: 'C:\\npx.cmd', args: ['a b', 'c&calc', 'd"e\\'], cwd: 'C:\\', env: {} }
  expect(withCommandProcessor(command, 'win32')).toEqual({
    command: 'cmd.exe',
    args: ['/d', '/s', '/c', '"C:\\npx.cmd ^^^"a^^^ b^^^" ^^^"c^^^&calc^^^" ^^^"d\\^^^"e\\\\^^^""'],
    options: { windowsVerbatimArguments: true },
  })
  expect(withCommandProcessor({ ...command, command: 'C:\\node.exe' }, 'win32').args).toEqual(
    command.args,
  )
})
