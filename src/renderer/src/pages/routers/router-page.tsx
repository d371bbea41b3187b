import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, Pause, Pencil, Play, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import { ActionMenu } from '../../components/action-menu.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Note } from '../../components/error-note.tsx'
import { Loaded, Page } from '../../components/page.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { UnsavedBar } from '../../components/unsaved-bar.tsx'
import { useUrlPart } from '../../components/use-url-part.ts'
import { Form } from '../../components/form.tsx'
import { errorBeside } from '../../stores/client.ts'
import { removeRouter, useRouters } from '../../stores/routers.ts'
import { useSetSearch } from '../../usage/search.ts'
import { RouterRuns } from '../tune/router-runs.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { routerDrafts, setRouterPaused } from './router-drafts.ts'
import { RouterOverview } from './router-overview.tsx'
import { RouterPartForms } from './router-part-forms.tsx'
import { partLabels, RouterTabs, tabOfPart, useRouterTab } from './router-tabs.tsx'
import { partOfField } from './router-texts.ts'
import { RouterUse } from './router-use.tsx'
import { useRouterEditor, type RouterEditor } from './use-router-editor.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** One router: its figures, its settings in parts, its requests and how to use it. */
export function RouterPage() {
  const routerId = useUrlPart('routerId')
  const routers = useRouters()
  const router = routers.items?.find(({ id }) => id === routerId)
  if (router) return <ExistingRouter key={router.id} router={router} />
  return (
    <Page title={t('Router')} actions={<BackToRouters />}>
      <Loaded list={routers} what={t('routers')}>
        {() => <p className="text-sm text-muted">{t('This router no longer exists.')}</p>}
      </Loaded>
    </Page>
  )
}

const formId = 'router-form'

/** The fields beside which an error is shown are those of the parts. */
const errorFields = [
  'models',
  'strategy',
  'tier',
  'dailyLimit',
  'cacheTtlSeconds',
  'timeLimits',
  'hedge',
  'requestsPerMinute',
  'budgetUsdPerDay',
  'budgetUsdPerMonth',
  'routing',
]

function ExistingRouter({ router }: { router: Router }) {
  const editor = useRouterEditor(router)
  const { changed, error } = editor
  const tab = useRouterTab()
  useShowError(editor)
  const isOverview = tab === 'overview'
  return (
    <div className="relative h-full">
      <Page title={router.name} width="wide" actions={<RouterActions router={router} />}>
        <RouterTabs routerId={router.id} changed={changed}>
          {isOverview && <RangePicker />}
        </RouterTabs>
        {router.routing.isPaused && (
          <Note kind="warn">
            <span className="min-w-0 flex-1">
              {t('This router is paused: its requests are refused.')}
            </span>
            <Button size="small" onClick={() => void setRouterPaused(router.id, false)}>
              {t('Resume')}
            </Button>
          </Note>
        )}
        <Form
          id={formId}
          aria-label={t('Router')}
          className="contents"
          onSubmit={() => editor.save()}
        >
          {isOverview && <RouterOverview router={router} editor={editor} />}
          <RouterPartForms tab={tab} editor={editor} />
        </Form>
        {tab === 'tune' && <RouterRuns routerId={router.id} />}
        {tab === 'use' && <RouterUse router={router} />}
        {/* Room for the bar below. */}
        <div className="h-12 shrink-0" />
      </Page>
      <UnsavedBar
        form={formId}
        path={`/routers/${router.id}`}
        changes={joinWords(changed.map((part) => partLabels[part]))}
        isSaving={editor.isSaving}
        error={errorBeside(error, errorFields)}
        onDiscard={editor.discard}
      />
    </div>
  )
}

/** Opens the part with the field of an error, and focuses the field. */
function useShowError({ error }: RouterEditor): void {
  const setSearch = useSetSearch()
  const shown = useRef(error)
  useEffect(() => {
    if (error === shown.current) return
    shown.current = error
    const part = partOfField(error?.field ?? null)
    if (!part) return
    setSearch({ tab: tabOfPart[part] }, { replace: true })
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`#${formId} [aria-invalid="true"]`)?.focus(),
    )
  }, [error, setSearch])
}

function RouterActions({ router }: { router: Router }) {
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'rename' | 'remove' | null>(null)
  const { isPaused } = router.routing
  async function remove(): Promise<void> {
    await removeRouter(router.id)
    routerDrafts.discard(router.id)
    await navigate({ to: '/routers' })
  }
  return (
    <>
      <BackToRouters />
      <ActionMenu
        entry={router.name}
        actions={[
          {
            label: isPaused ? t('Resume') : t('Pause'),
            icon: isPaused ? Play : Pause,
            onSelect: () => void setRouterPaused(router.id, !isPaused),
          },
          { label: t('Rename'), icon: Pencil, onSelect: () => setDialog('rename') },
          { label: t('Delete'), icon: Trash2, onSelect: () => setDialog('remove') },
        ]}
      />
      {dialog === 'rename' && <RenameDialog router={router} onClose={() => setDialog(null)} />}
      {dialog === 'remove' && (
        <ConfirmDialog
          title={t('Delete {name}?', { name: router.name })}
          description={t(
            'Requests to its address will get “404 router not found”. The costs of its requests stay in the ledger.',
          )}
          action={t('Delete router')}
          onConfirm={remove}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  )
}

export function BackToRouters() {
  return (
    <Link to="/routers" className={buttonClass('quiet')}>
      <ArrowLeft size={14} aria-hidden /> {t('All routers')}
    </Link>
  )
}
