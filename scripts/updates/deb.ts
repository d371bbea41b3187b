/**
 * An update of a deb. pkexec and apt-get are scripts here: the first waits for the answer of the check, as for a password,
 * the second puts the other version in place. `npm run package:check` installs the real deb with the real apt-get.
 */
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { previousFolder } from '../../src/main/updates/folder-install.ts'
import {
  download,
  expect,
  ledgerOf,
  newVersion,
  openUpdates,
  same,
  sendRequests,
  stateOf,
  text,
  withApp,
  type Stage,
} from './stage.ts'

const nobody = 65_534
const content = 'a package'

interface System {
  programs: string
  /** Of pkexec's question. */
  answer(word: 'yes' | 'no'): Promise<void>
  breakPackages(): Promise<void>
}

export async function checkDeb(folderStage: Stage): Promise<string> {
  const { appDir, feedDir, home } = folderStage
  for (const folder of [appDir, previousFolder(appDir)])
    await writeFile(join(folder, 'resources', 'package-type'), 'deb')
  const packageFile = join(feedDir, `modelport_${newVersion}_amd64.deb`)
  await writeFile(packageFile, content)
  const system = await makeSystem(home, appDir)
  const executable = join(appDir, 'modelport')
  const { programs } = system
  const options = { name: 'data of the deb', executable, programs, packageFile }
  return withApp(folderStage, options, async (stage) => {
    await checkRefused(stage, system)
    await checkTaken(stage, system)
    await checkFailed(stage, system)
    return `served 3 requests while the password was asked; ${newVersion} runs with ${text(ledgerOf(stage))}, also after a package manager that failed`
  })
}

async function checkRefused(stage: Stage, system: System): Promise<void> {
  const { app } = stage
  await download(stage, newVersion)
  await openUpdates(stage)
  const facts = await app.facts()
  await app.click('Install and restart')
  await app.until('the words', `document.body.textContent.includes('Enter your password')`)
  await sendRequests(stage, 3)
  await system.answer('no')
  await app.until(
    'the reason',
    `document.body.textContent.includes('The password was not entered')`,
  )
  expect('the process', (await app.facts()).pid, facts.pid)
}

async function checkTaken(stage: Stage, system: System): Promise<void> {
  const { app } = stage
  const before = ledgerOf(stage)
  const facts = await app.facts()
  await app.click('Try again')
  await app.until('the words', `document.body.textContent.includes('Enter your password')`)
  await system.answer('yes')
  expect('the version', (await app.restarted(facts)).version, newVersion)
  same('the database', before, ledgerOf(stage))
}

async function checkFailed(stage: Stage, system: System): Promise<void> {
  const { app } = stage
  await download(stage, '0.3.0')
  await system.breakPackages()
  await openUpdates(stage)
  const before = ledgerOf(stage)
  const facts = await app.facts()
  await app.click('Install and restart')
  await system.answer('yes')
  expect('the version', (await app.restarted(facts)).version, newVersion)
  const { phase } = await stateOf(stage)
  expect('the problem', phase.status === 'failed' && phase.problem, 'installer_refused')
  same('the database', before, ledgerOf(stage))
  await sendRequests(stage, 1)
}

async function makeSystem(home: string, appDir: string): Promise<System> {
  const programs = join(home, 'programs')
  await mkdir(programs)
  await chown(programs, nobody, nobody)
  const [answer, broken] = [join(programs, 'answer'), join(programs, 'broken')]
  await writeProgram(join(programs, 'pkexec'), [
    `while ! test -s '${answer}'; do sleep 0.1; done`,
    `read -r word <'${answer}'`,
    `rm '${answer}'`,
    'test "$word" = yes || exit 126',
    'shift',
    'exec "$@"',
  ])
  await writeProgram(join(programs, 'apt-get'), [
    `test -e '${broken}' && exit 100`,
    'for package; do :; done',
    `test "$(cat "$package")" = '${content}' || exit 1`,
    `mv '${appDir}' '${appDir}.older'`,
    `mv '${previousFolder(appDir)}' '${appDir}'`,
  ])
  return {
    programs,
    answer: (word) => writeFile(answer, `${word}\n`),
    breakPackages: () => writeFile(broken, ''),
  }
}

function writeProgram(file: string, lines: readonly string[]): Promise<void> {
  return writeFile(file, `${['#!/bin/sh', ...lines].join('\n')}\n`, { mode: 0o755 })
}
