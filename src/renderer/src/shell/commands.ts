/** What each command of `shared/app/commands.ts` does in the window, and when it is available. */
import { commandOf, type ActionId, type CommandId } from '../../../shared/app/commands.ts'
import type { Settings } from '../../../shared/app/settings.ts'
import { shortcutText } from '../../../shared/app/shortcuts.ts'
import { useApp } from '../stores/app.ts'
import { newConversation, stopAnswer, useChat } from '../stores/chat.ts'
import { call, toCallError } from '../stores/client.ts'
import { arrivingIn } from '../stores/live-answers.ts'
import { openImport } from '../stores/chat-import.ts'
import { openComparisonMenu } from '../stores/comparison-menu.ts'
import { beginNew } from '../stores/new-conversation.ts'
import { useRouters } from '../stores/routers.ts'
import { saveSetting } from '../stores/settings.ts'
import { showToast } from '../stores/toasts.ts'
import { runUpdateStep } from '../stores/updates.ts'
import { focusSearchField } from './find-matches.ts'
import { platform } from './platform.ts'
import { toggleNavigation, toggleOverlay } from './shell-state.ts'
import { t } from '../../../shared/strings/strings.ts'

/** Moves between pages. */
export interface Navigation {
  to(path: string): void
  back(): void
  forward(): void
}

interface Behaviour {
  run(navigation: Navigation): void
  /** Missing when it is always available. */
  isAvailable?(): boolean
}

const behaviours: Readonly<Record<ActionId, Behaviour>> = {
  'new-chat': {
    run(navigation) {
      beginNew()
      navigation.to('/chat')
    },
  },
  'quick-entry': { run: () => void call('quick-entry:show') },
  'import-chats': {
    run(navigation) {
      openImport()
      navigation.to('/chat')
    },
  },
  'create-router': { run: (navigation) => navigation.to('/routers/new') },
  'create-agent': { run: (navigation) => navigation.to('/new-agent') },
  'create-key': { run: (navigation) => navigation.to('/connect?do=create') },
  'add-provider': { run: (navigation) => navigation.to('/models?view=providers&add=any') },
  'copy-base-url': { run: () => void copyBaseUrl(), isAvailable: () => baseUrl() !== null },
  find: {
    run() {
      if (!focusSearchField()) toggleOverlay('find')
    },
  },
  stop: {
    run: () => arrivingAnswers().forEach(stopAnswer),
    isAvailable: () => arrivingAnswers().length > 0,
  },
  'compare-routers': {
    run(navigation) {
      openComparisonMenu()
      navigation.to('/chat')
    },
    // Without a router, the page has no menu.
    isAvailable: () => (useRouters.getState().items ?? []).length > 0,
  },
  'edit-instructions': chatControl('instructions'),
  'toggle-charts': chatControl('charts'),
  'export-chat': {
    run: () =>
      void import('../pages/chat/save-conversation.ts').then(({ saveOpened }) => saveOpened()),
    isAvailable: () => useChat.getState().current !== newConversation,
  },
  palette: { run: () => toggleOverlay('palette') },
  'toggle-navigation': { run: toggleNavigation },
  'theme-light': { run: () => void save('theme', 'light') },
  'theme-dark': { run: () => void save('theme', 'dark') },
  'theme-system': { run: () => void save('theme', 'system') },
  'density-comfortable': { run: () => void save('density', 'comfortable') },
  'density-compact': { run: () => void save('density', 'compact') },
  back: { run: (navigation) => navigation.back() },
  forward: { run: (navigation) => navigation.forward() },
  'check-for-updates': {
    run(navigation) {
      navigation.to('/settings/updates')
      // The page shows a failure.
      void runUpdateStep('check').catch(() => {})
    },
  },
  shortcuts: { run: () => toggleOverlay('shortcuts') },
}

/** Presses a control of the chat page, which knows what a narrow window shows. */
function chatControl(name: 'instructions' | 'charts'): Behaviour {
  const control = () => document.querySelector<HTMLElement>(`[data-chat-control="${name}"]`)
  return { run: () => control()?.click(), isAvailable: () => control() !== null }
}

/** The path of a command that only opens a page; null for the others. */
export function pathOf(id: CommandId): string | null {
  if (id.startsWith('page:')) return id.slice('page:'.length)
  return id.startsWith('settings:') ? `/settings/${id.slice('settings:'.length)}` : null
}

export function isAvailable(id: CommandId): boolean {
  return pathOf(id) !== null || (behaviours[id as ActionId].isAvailable?.() ?? true)
}

/** Runs a command; does nothing while it is not available. */
export function runCommand(id: CommandId, navigation: Navigation): void {
  const path = pathOf(id)
  if (path !== null) navigation.to(path)
  else if (isAvailable(id)) behaviours[id as ActionId].run(navigation)
}

/** The tooltip of a control that runs a command: `Copy base URL (Ctrl+Shift+C)`. */
export function tooltipOf(id: CommandId): string {
  const { title, shortcut } = commandOf(id)
  return shortcut === null ? title : `${title} (${shortcutText(shortcut, platform)})`
}

/** @returns null while the endpoint is not running */
function baseUrl(): string | null {
  const endpoint = useApp.getState().state?.endpoint
  return endpoint?.status === 'listening' ? endpoint.url : null
}

async function copyBaseUrl(): Promise<void> {
  const url = baseUrl()
  if (url === null) return
  await navigator.clipboard.writeText(url)
  showToast({ text: t('Copied {url}', { url }) })
}

async function save<Name extends 'theme' | 'density'>(
  name: Name,
  value: Settings[Name],
): Promise<void> {
  try {
    await saveSetting(name, value)
  } catch (error) {
    showToast({ text: toCallError(error).message })
  }
}

/** The answers that arrive in the open conversation. */
export function arrivingAnswers(): string[] {
  const { current, threads } = useChat.getState()
  return arrivingIn(threads[current]?.messages)
}
