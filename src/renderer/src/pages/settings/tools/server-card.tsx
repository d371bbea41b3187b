import { RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ListedServer } from '../../../../../shared/chat/tools.ts'
import { t } from '../../../../../shared/strings/strings.ts'
import { ActionMenu } from '../../../components/action-menu.tsx'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { Disclosure } from '../../../components/disclosure.tsx'
import { ErrorNote, Note } from '../../../components/error-note.tsx'
import { Card } from '../../../components/page.tsx'
import { commandText } from '../../../components/tool-words.ts'
import { useAction } from '../../../components/use-action.ts'
import { refreshServer, removeServer, setServerOn, signInToServer } from './change-servers.ts'
import { ToolRow } from './tool-row.tsx'

interface ServerCardProps {
  server: ListedServer
  /** Asks for the consent. */
  onStart: () => void
  onReview: () => void
}

/** A server with its state and its tools. */
export function ServerCard({ server, onStart, onReview }: ServerCardProps) {
  const { id, name, config, resolved, isOn, hasConsent, problem, tools } = server
  const [isRemoving, setIsRemoving] = useState(false)
  const refresh = useAction(refreshServer)
  const turn = useAction(setServerOn)
  const signIn = useAction(signInToServer)
  const error = refresh.error ?? turn.error ?? signIn.error
  const unseen = tools.filter(({ state }) => state !== 'approved').length
  const actions = [
    { label: t('Read tools again'), icon: RotateCw, onSelect: () => refresh.run(id) },
    { label: t('Delete'), icon: Trash2, onSelect: () => setIsRemoving(true) },
  ]
  return (
    <section aria-label={name}>
      <Card className="flex min-w-0 flex-col gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="min-w-0 font-semibold wrap-anywhere">{name}</h3>
          <StateBadge server={server} />
          <span className="ml-auto flex items-center gap-2">
            {hasConsent && (
              <Checkbox label={t('On')} checked={isOn} onChange={(on) => turn.run(id, on)} />
            )}
            <ActionMenu entry={name} actions={hasConsent ? actions : actions.slice(1)} />
          </span>
        </div>
        <code className="font-mono text-xs wrap-anywhere text-muted">
          {commandText(config, resolved)}
        </code>
        {problem !== null && (
          <Note kind="bad">
            <span className="max-h-40 overflow-y-auto wrap-anywhere whitespace-pre-wrap">
              {problem}
            </span>
          </Note>
        )}
        {error && <ErrorNote error={error} />}
        {hasConsent && server.state === 'sign_in' && (
          <Button className="self-start" disabled={signIn.isRunning} onClick={() => signIn.run(id)}>
            {signIn.isRunning ? t('Waiting for the browser…') : t('Sign in…')}
          </Button>
        )}
        {!hasConsent && (
          <Button className="self-start" onClick={onStart}>
            {config.kind === 'stdio' ? t('Start…') : t('Connect…')}
          </Button>
        )}
        {hasConsent && unseen > 0 && (
          <Note kind="warn">
            <span className="flex-1">
              {t(
                '{count, plural, one {# tool is new or has changed, and is off until you look at it.} other {# tools are new or have changed, and are off until you look at them.}}',
                { count: unseen },
              )}
            </span>
            <Button size="small" onClick={onReview}>
              {t('Review tools')}
            </Button>
          </Note>
        )}
        {tools.length > 0 && (
          <Disclosure
            title={t('{count, plural, one {# tool} other {# tools}}', { count: tools.length })}
          >
            <ul className="-mt-4 flex flex-col divide-y divide-line">
              {tools.map((tool) => (
                <ToolRow key={tool.name} serverId={id} tool={tool} />
              ))}
            </ul>
          </Disclosure>
        )}
      </Card>
      {isRemoving && (
        <ConfirmDialog
          title={t('Delete “{name}”?', { name })}
          description={t('It is stopped, and its consent, permissions and secrets are deleted.')}
          action={t('Delete')}
          onConfirm={() => removeServer(id)}
          onClose={() => setIsRemoving(false)}
        />
      )}
    </section>
  )
}

function StateBadge({ server }: { server: ListedServer }) {
  const [tone, words] = stateOf(server)
  return <Badge tone={tone}>{words}</Badge>
}

function stateOf({ hasConsent, isOn, state }: ListedServer): [Tone, string] {
  if (!hasConsent) return ['warn', t('Needs your consent')]
  if (!isOn) return ['neutral', t('Off')]
  switch (state) {
    case 'running':
      return ['ok', t('Running')]
    case 'starting':
      return ['neutral', t('Starting…')]
    case 'failed':
      return ['bad', t('Failed')]
    case 'sign_in':
      return ['warn', t('Needs a sign-in')]
    case 'stopped':
      return ['neutral', t('Starts when needed')]
  }
}
