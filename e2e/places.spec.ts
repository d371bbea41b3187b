/** The places, and the addresses that pages had before they were joined: links, notices and bookmarks still work. */
import { expect, test } from './fixtures.ts'

const places = ['Home', 'Chat', 'Routers', 'Activity', 'Models', 'Connect', 'Settings']

/** An earlier address, the place it opens, and the part of it that is then open. */
const earlier: readonly (readonly [string, string, string | null])[] = [
  ['/agents', 'Routers', 'Agents'],
  ['/new-agent', 'Routers', null],
  ['/agents/short-answer', 'Routers', null],
  ['/tune', 'Routers', 'Tune'],
  ['/tune/new', 'Routers', null],
  ['/tune/run_of_the_past', 'Routers', null],
  ['/routers/ROUTER?tab=limits', 'Routers', 'Rules'],
  ['/routers/ROUTER?tab=reliability', 'Routers', 'Rules'],
  ['/routers/ROUTER?tab=privacy', 'Routers', 'Rules'],
  ['/requests', 'Activity', 'Requests'],
  ['/requests?end=failed', 'Activity', 'Requests'],
  ['/usage', 'Activity', 'Charts'],
  ['/usage?range=30d&group=key', 'Activity', 'Charts'],
  ['/providers', 'Models', 'Providers'],
  ['/keys', 'Connect', null],
]

test('the navigation has seven places, and every earlier address opens its part', async ({
  openApp,
}) => {
  const { window } = await openApp()
  const pages = window.getByRole('navigation', { name: 'Pages' })
  await expect(pages.getByRole('link')).toHaveText(places)
  const routers = await window.evaluate(() => modelport.call('routers:list', undefined))
  const routerId = (routers.ok && routers.value[0]?.id) || ''

  for (const [address, place, part] of earlier) {
    await test.step(address, async () => {
      const path = address.replace('ROUTER', routerId)
      await window.evaluate((hash) => {
        location.hash = '#/home'
        location.hash = hash
      }, path)
      await expect(pages.locator('[aria-current=page]')).toHaveText(place)
      await expect(window.getByRole('heading', { name: 'Page not found' })).toHaveCount(0)
      const parts = window.getByRole('navigation', { name: /^(Views|Parts of the router)$/ })
      if (part) await expect(parts.locator('[aria-current=page]')).toHaveText(part)
    })
  }
  await expect(window.getByRole('region', { name: 'API keys of your programs' })).toBeFocused()

  await window.evaluate(() => void (location.hash = '/requests?end=failed&range=7d'))
  await expect(window.getByRole('button', { name: 'Change filter Status: Failed' })).toBeVisible()
  await expect(window.getByRole('radio', { name: '7d' })).toBeChecked()
  // The same filter in the next view.
  await window.getByRole('link', { name: 'Charts' }).click()
  await expect(window.getByRole('radio', { name: '7d' })).toBeChecked()
  await expect(window.getByText('This view cannot be filtered by: status.')).toBeVisible()

  await window.evaluate(() => void (location.hash = '/providers?add=any'))
  await expect(window.getByRole('dialog').getByLabel('Search providers')).toBeFocused()
})

test('an empty page offers what to create once', async ({ openApp }) => {
  const { window } = await openApp()
  const routers = await window.evaluate(() => modelport.call('routers:list', undefined))
  const routerId = (routers.ok && routers.value[0]?.id) || ''
  const main = window.getByRole('main')
  const empty: readonly (readonly [string, string])[] = [
    ['/routers?view=agents', 'Create agent'],
    [`/routers/${routerId}?tab=tune`, 'Create run'],
    ['/models?view=providers', 'Add provider'],
    ['/connect', 'Create key'],
  ]
  for (const [path, name] of empty) {
    await window.evaluate((hash) => void (location.hash = hash), path)
    const actions = main.getByRole('button', { name }).or(main.getByRole('link', { name }))
    await expect(actions.first()).toBeVisible()
    await expect(actions, path).toHaveCount(1)
  }
  await window.evaluate((id) => modelport.call('routers:remove', { id }), routerId)
  await window.evaluate(() => void (location.hash = '/routers'))
  await expect(main.getByText('Create your first router')).toBeVisible()
  await expect(main.getByRole('link', { name: 'Create router' })).toHaveCount(0)
})
