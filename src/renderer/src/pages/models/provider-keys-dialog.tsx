import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Provider, ProviderKey } from '../../../../shared/entities.ts'
import { formatDuration } from '../../../../shared/strings/format.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button, IconButton } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { TextField } from '../../components/field.tsx'
import {
  clearSecret,
  readSecret,
  SecretField,
  useSecretField,
} from '../../components/secret-field.tsx'
import { useAction } from '../../components/use-action.ts'
import { useNow } from '../../components/use-now.ts'
import { Form } from '../../components/form.tsx'
import { errorBeside, errorOf } from '../../stores/client.ts'
import { addProviderKey, removeProviderKey, useProviders } from '../../stores/providers.ts'
import { problems } from './provider-problems.ts'
import { t } from '../../../../shared/strings/strings.ts'

const fields = ['name', 'apiKey'] as const

/** The keys of one provider: their state, and forms to add and delete one. */
export function ProviderKeysDialog({
  provider,
  onClose,
}: {
  provider: Provider
  onClose: () => void
}) {
  const list = useProviders()
  const current = list.items?.find(({ id }) => id === provider.id) ?? provider
  const {
    run: remove,
    isRunning,
    error,
  } = useAction((name: string) => removeProviderKey(provider.id, name))
  const isOnly = current.keys.length === 1 && current.needsKey
  return (
    <Dialog
      title={t('Keys of {id}', { id: provider.id })}
      description={t(
        'Requests use the key with the most rate limit left. A conversation keeps its key while the provider may have cached it.',
      )}
      onClose={onClose}
    >
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
        {current.keys.map((key) => (
          <li key={key.name} className="flex items-center gap-2 px-3 py-2">
            <span className="min-w-0 truncate font-mono text-sm">{key.name}</span>
            <KeyBadge providerKey={key} />
            <IconButton
              label={t('Delete the key {name}', { name: key.name })}
              className="ml-auto"
              disabled={isRunning || isOnly}
              onClick={() => remove(key.name)}
            >
              <Trash2 size={14} aria-hidden />
            </IconButton>
          </li>
        ))}
        {current.keys.length === 0 && (
          <li className="px-3 py-2 text-sm text-muted">{t('No keys yet')}</li>
        )}
      </ul>
      {error && <ErrorNote error={error} />}
      <AddKey id={provider.id} />
    </Dialog>
  )
}

function AddKey({ id }: { id: string }) {
  const [name, setName] = useState('')
  const key = useSecretField()
  // A refused key stays in its field.
  const { run, isRunning, error } = useAction(async () => {
    await addProviderKey(id, {
      apiKey: readSecret(key),
      ...(name.trim() === '' ? {} : { name: name.trim() }),
    })
    clearSecret(key)
    setName('')
  })
  return (
    <Form onSubmit={() => run()}>
      <SecretField label={t('New key')} error={errorOf(error, 'apiKey')} field={key} />
      <TextField
        label={t('Name (optional)')}
        hint={t('To tell the keys apart. Use lower-case letters, digits and dashes.')}
        value={name}
        error={errorOf(error, 'name')}
        onChange={(event) => setName(event.target.value)}
      />
      {error && errorBeside(error, fields) && <ErrorNote error={error} />}
      <Button look="primary" type="submit" disabled={isRunning} className="self-end">
        {isRunning ? t('Adding and testing…') : t('Add key')}
      </Button>
    </Form>
  )
}

function KeyBadge({ providerKey }: { providerKey: ProviderKey }) {
  const nowMs = useNow()
  const { tone, text } = badgeOf(providerKey, nowMs)
  return <Badge tone={tone}>{text}</Badge>
}

function badgeOf(key: ProviderKey, nowMs: number): { tone: Tone; text: string } {
  const { belongsTo, problem, pausedUntilMs, remaining } = key
  if (belongsTo !== null) return { tone: 'bad', text: t('for {belongsTo}', { belongsTo }) }
  if (problem !== null) return { tone: 'bad', text: problems[problem] }
  if (pausedUntilMs !== null && pausedUntilMs > nowMs) {
    return {
      tone: 'neutral',
      text: t('at its limit for {time}', { time: formatDuration(pausedUntilMs - nowMs) }),
    }
  }
  if (remaining === null) return { tone: 'neutral', text: t('saved') }
  return {
    tone: 'ok',
    text: t('{round} % of its limit left', { round: Math.round(remaining * 100) }),
  }
}
