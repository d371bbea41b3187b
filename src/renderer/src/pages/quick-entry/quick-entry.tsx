import { useRouter } from '@tanstack/react-router'
import { ExternalLink, Plus, Split, X } from 'lucide-react'
import { useEffect } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import { commandOf } from '../../../../shared/app/commands.ts'
import { isPressed, shortcutText } from '../../../../shared/app/shortcuts.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { EmptyState, Loaded } from '../../components/page.tsx'
import { PopupLayer } from '../../components/popup-layer.tsx'
import { Select } from '../../components/select.tsx'
import { useDocumentLook } from '../../components/theme.ts'
import { Approvals } from '../../shell/approvals.tsx'
import { arrivingAnswers, runCommand, tooltipOf } from '../../shell/commands.ts'
import { Notices } from '../../shell/notices.tsx'
import { platform } from '../../shell/platform.ts'
import { useNavigation } from '../../shell/use-commands.ts'
import { chooseRouter, routerOf, useChat, useConversations } from '../../stores/chat.ts'
import { call, listen } from '../../stores/client.ts'
import { useFolders } from '../../stores/folders.ts'
import { usePresets, usePrompts } from '../../stores/instructions.ts'
import { beginNew } from '../../stores/new-conversation.ts'
import { useRouters } from '../../stores/routers.ts'
import { hasUnsent } from '../../stores/unsent-messages.ts'
import { Composer } from '../chat/composer.tsx'
import { focusMessageField } from '../chat/focus-message-field.ts'
import { Thread } from '../chat/thread.tsx'
import { t } from '../../../../shared/strings/strings.ts'

const openShortcut = 'Mod+Enter'

/** The page of the small window: one conversation, from the same stores as the main window's. */
export function QuickEntry() {
  useDocumentLook()
  useKeys()
  useLinksToMain()
  const routers = useRouters()
  useEffect(() => {
    for (const list of [usePresets, usePrompts, useFolders]) void list.getState().load()
    return listen('quick-entry-shown', beginAnew)
  }, [])
  return (
    <div className="relative flex h-full flex-col border border-line bg-canvas">
      {routers.items && routers.items.length > 0 ? (
        <QuickConversation routers={routers.items} />
      ) : (
        <main className="flex-1 p-6">
          <h1 className="sr-only">{t('Quick entry')}</h1>
          <Loaded list={routers} what={t('routers')}>
            {() => (
              <EmptyState
                icon={Split}
                title={t('Create a router to start chatting')}
                action={
                  <Button look="primary" onClick={() => openMain('/routers/new')}>
                    {t('Create router')}
                  </Button>
                }
              >
                {t(
                  'A router is a set of models with a strategy that chooses one of them for each message.',
                )}
              </EmptyState>
            )}
          </Loaded>
        </main>
      )}
      <Notices />
      <PopupLayer />
      <Approvals />
    </div>
  )
}

function QuickConversation({ routers }: { routers: readonly Router[] }) {
  const conversation = useChat((state) => state.current)
  const routerChoices = useChat((state) => state.routerChoices)
  const title = useConversations(
    (state) => state.items?.find(({ id }) => id === conversation)?.title,
  )
  const router = routerOf(conversation, routers, { routerChoices })
  if (!router) return null
  return (
    <main className="flex min-h-0 flex-1 flex-col">
      <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line pr-2 pl-4 [-webkit-app-region:drag] [&_button]:[-webkit-app-region:no-drag]">
        <h1 className="min-w-0 flex-1 truncate text-sm font-semibold">
          {title ?? t('Quick entry')}
        </h1>
        <div className="w-36 shrink-0">
          <Select
            label={t('Router')}
            isLabelHidden
            choices={routers.map(({ id, name }) => ({ value: id, label: name }))}
            value={router.id}
            onChange={(id) => chooseRouter(conversation, id)}
          />
        </div>
        <IconButton label={tooltipOf('new-chat')} onClick={begin}>
          <Plus size={16} aria-hidden />
        </IconButton>
        <IconButton
          label={`${t('Open in the main window')} (${shortcutText(openShortcut, platform)})`}
          onClick={openInMain}
        >
          <ExternalLink size={15} aria-hidden />
        </IconButton>
        <IconButton label={`${t('Hide')} (Esc)`} onClick={hide}>
          <X size={16} aria-hidden />
        </IconButton>
      </header>
      <Thread key={conversation} conversation={conversation} router={router} />
      <Composer {...{ conversation, router, others: [] }} />
    </main>
  )
}

function hide(): void {
  void call('quick-entry:hide')
}

function openMain(path: string): void {
  void call('quick-entry:open-main', { path })
}

function openInMain(): void {
  openMain(`/chat?conversation=${useChat.getState().current}`)
}

function begin(): void {
  beginNew()
  focusMessageField()?.focus()
}

/** Each time the window appears, it asks for a new question, unless the last one is unsent or unanswered. */
function beginAnew(): void {
  const isOpen = hasUnsent(useChat.getState().current) || arrivingAnswers().length > 0
  if (isOpen) focusMessageField()?.focus()
  else begin()
}

/** Pages are shown by the main window, and so are links to them. */
function useLinksToMain(): void {
  const router = useRouter()
  useEffect(
    () => router.subscribe('onBeforeNavigate', ({ toLocation }) => openMain(toLocation.href)),
    [router],
  )
}

/** Listens before the composer, which would send with Ctrl + Enter. */
function useKeys(): void {
  const navigation = useNavigation()
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const act = actionOf(event, () => runCommand('stop', navigation))
      if (act === null || event.isComposing) return
      event.preventDefault()
      event.stopPropagation()
      act()
    }
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [navigation])
}

/** What Escape closes or leaves first. */
const escapable =
  '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], textarea:not([data-message-field]):focus, input:focus'

function isSomethingOpen(): boolean {
  return [...document.querySelectorAll(escapable)].some((element) => element.checkVisibility())
}

/** @returns null for keys that mean nothing to this window */
function actionOf(event: KeyboardEvent, stop: () => void): (() => void) | null {
  const is = (shortcut: Parameters<typeof isPressed>[1]) => isPressed(event, shortcut, platform)
  if (is('Escape')) return isSomethingOpen() ? null : hide
  if (is(openShortcut)) return openInMain
  if (is(commandOf('new-chat').shortcut ?? '')) return begin
  return is(commandOf('stop').shortcut ?? '') ? stop : null
}
