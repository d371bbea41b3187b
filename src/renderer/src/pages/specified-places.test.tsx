/** Places of the window that the specification names: the way to the API keys, their advice, and a new router's tier. */
import type { ReactElement, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { ProfileMenu } from '../shell/profile-menu.tsx'
import { ConnectPage } from './connect/connect-page.tsx'
import { NewKeyDialog } from './connect/new-key-dialog.tsx'
import { NewRouterPage } from './routers/new-router-page.tsx'
import { SettingsPage } from './settings/settings-page.tsx'

interface Shown {
  children?: ReactNode
}

// Read when the shell's modules load.
vi.hoisted(() => vi.stubGlobal('localStorage', { getItem: () => null }))
vi.mock('@tanstack/react-router', () => ({
  Link: ({ to, search, children }: Shown & { to: string; search?: Record<string, string> }) => (
    <a href={[to, ...new URLSearchParams(search)].join()}>{children}</a>
  ),
  useNavigate: () => () => undefined,
  useRouter: () => ({ history: null }),
  useParams: () => ({ section: 'general' }),
  useSearch: () => ({}),
}))
// What opens over the page is shown in it.
vi.mock('@base-ui/react/menu', () => {
  const Part = ({ children }: Shown) => <div>{children}</div>
  return {
    Menu: { Root: Part, Trigger: Part, Portal: Part, Positioner: Part, Popup: Part, Item: Part },
  }
})
vi.mock('../components/dialog.tsx', () => ({
  Dialog: ({ description }: { description: string }) => <p>{description}</p>,
}))

function textOf(element: ReactElement): string {
  return renderToStaticMarkup(element).replaceAll(/<[^>]*>/g, '|')
}

test('the profile menu leads to Settings, and Settings to where keys are made', () => {
  expect(textOf(<ProfileMenu />)).toMatch(/\|Settings\|/)
  expect(renderToStaticMarkup(<SettingsPage />)).toMatch(/<a href="\/connect,show,keys">API Keys\b/)
  expect(textOf(<ConnectPage />)).toMatch(/API keys of your programs\|.*Create key\|/)
})

test('a new key is shown with the advice to keep it out of version control', () => {
  const shown = { id: 'key_1', name: 'Laptop', routers: 'all', key: 'mp_x' } as const

  expect(textOf(<NewKeyDialog shown={shown} onClose={() => {}} />)).toContain(
    'out of version control',
  )
})

test('the form of a new router offers each tier', () => {
  const form = textOf(<NewRouterPage />)

  for (const tier of ['Free', 'Pro', 'Enterprise']) expect(form).toContain(`|${tier} tier|`)
})
