import { expect, test } from 'vitest'
import type { Release } from '../../shared/app/updates.ts'
import { dayMs, fakeUpdater, openUpdates, release } from '../../../test/updates/fake-updater.ts'
import { UpdateProblem } from './update-problem.ts'

test('daily checks run once a day and only where the user chose them', async () => {
  let nowMs = 5 * dayMs
  const { updater, calls } = fakeUpdater(null)
  const manual = openUpdates(updater)
  await manual.updates.checkDaily()
  expect(calls).toEqual([])
  const { updates, found } = openUpdates(updater, { mode: () => 'daily', now: () => nowMs })
  await updates.checkDaily()
  nowMs += dayMs - 1
  await updates.checkDaily()
  expect(calls).toEqual(['check'])
  nowMs += 1
  await updates.checkDaily()
  expect(calls).toEqual(['check', 'check'])
  expect(found).toEqual([])
})

/** An app that checks daily, where the feed and the time can change. */
function openDaily() {
  const feed: { release: Release | null; error: Error | null; pending?: Promise<Release | null> } =
    {
      release,
      error: null,
    }
  const clock = { ms: 5 * dayMs }
  const { updater, calls } = fakeUpdater(null)
  const check = async () => {
    if (feed.error) throw feed.error
    return await (feed.pending ?? feed.release)
  }
  const opened = openUpdates({ ...updater, check }, { mode: () => 'daily', now: () => clock.ms })
  const nextDay = async () => {
    clock.ms += dayMs
    await opened.updates.checkDaily()
    return (await opened.updates.state()).phase
  }
  return { ...opened, feed, calls, nextDay }
}

const newer: Release = { ...release, version: '0.3.0' }

test('a newer version replaces the one that is ready', async () => {
  const { updates, feed, calls, found, statuses, nextDay } = openDaily()
  await nextDay()
  await updates.download()
  expect(await nextDay()).toEqual({ status: 'ready', release })
  feed.release = newer
  expect(await nextDay()).toEqual({ status: 'available', release: newer })
  expect(calls).toEqual(['download'])
  expect(found).toEqual(['0.2.0', '0.3.0'])
  expect(statuses().slice(1)).toEqual([
    'available',
    'downloading',
    'downloading',
    'ready',
    'available',
  ])
})

test('a version that the feed withdraws is not installed any more', async () => {
  const { updates, feed, calls, nextDay } = openDaily()
  await nextDay()
  await updates.download()
  feed.release = null
  expect(await nextDay()).toEqual({ status: 'current' })
  expect(calls).toEqual(['download'])
})

test('an offer stays while daily checks fail, and the user hears of it once', async () => {
  const { feed, found, bugs, nextDay } = openDaily()
  await nextDay()
  feed.error = new UpdateProblem('unreachable')
  expect(await nextDay()).toEqual({ status: 'available', release })
  feed.error = null
  expect(await nextDay()).toEqual({ status: 'available', release })
  expect(found).toEqual(['0.2.0'])
  expect(bugs).toEqual([])
})

test('a daily check does not disturb an installation that begins meanwhile', async () => {
  const { updates, feed, calls, nextDay } = openDaily()
  await nextDay()
  await updates.download()
  const { promise, resolve } = Promise.withResolvers<Release | null>()
  feed.pending = promise
  const checked = nextDay()
  await updates.install()
  resolve(newer)
  expect(await checked).toMatchObject({ status: 'installing', version: '0.2.0' })
  expect(calls).toEqual(['download', 'install'])
})

test('a version is announced once, also after the app was started again', async () => {
  const { updater } = fakeUpdater(release)
  let nowMs = 5 * dayMs
  const daily = { mode: () => 'daily' as const, now: () => nowMs }
  const first = openUpdates(updater, daily)
  await first.updates.checkDaily()
  nowMs += dayMs
  const second = openUpdates(updater, { ...daily, record: first.options.record })
  await second.updates.checkDaily()

  expect([first.found, second.found]).toEqual([[release.version], []])
})

test('a version that a person’s own check found is not announced', async () => {
  const { updates, found, nextDay } = openDaily()
  await updates.check()

  expect(await nextDay()).toEqual({ status: 'available', release })
  expect(found).toEqual([])
})
