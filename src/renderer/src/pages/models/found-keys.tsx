import { useEffect, useState } from 'react'
import type { FoundKey } from '../../../../shared/models/found-calls.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/error-note.tsx'
import { ProviderMark } from '../../components/provider-mark.tsx'
import { useAction } from '../../components/use-action.ts'
import { addFoundKey, useFoundKeys } from '../../stores/found-keys.ts'
import type { AddedProvider } from './add/added-provider.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface FoundKeysProps {
  className: string
  onAdded: (added: AddedProvider) => void
}

/** Vendors' keys that the environment already has, each added with one click; nothing without any. */
export function FoundKeys({ className, onAdded }: FoundKeysProps) {
  const { items, load } = useFoundKeys()
  useEffect(() => void load(), [load])
  if (items === null || items.length === 0) return null
  return (
    <ul
      aria-label={t('Keys in the environment')}
      className={`flex flex-col divide-y divide-line ${className}`}
    >
      {items.map((found) => (
        <FoundKeyRow key={found.type} found={found} onAdded={onAdded} />
      ))}
    </ul>
  )
}

function FoundKeyRow({ found, onAdded }: { found: FoundKey } & Pick<FoundKeysProps, 'onAdded'>) {
  const { type, typeName, variable } = found
  const [failure, setFailure] = useState<string | null>(null)
  const { run, isRunning, error } = useAction(async () => {
    setFailure(null)
    const { provider, test } = await addFoundKey(type)
    if (!test.ok) setFailure(test.message)
    else if (provider) onAdded({ provider, listed: test.models })
  })
  return (
    <li className="flex flex-col gap-2 py-2">
      <div className="flex items-center gap-3">
        <ProviderMark name={typeName} />
        <p className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
          <span className="font-medium">{typeName}</span>
          <span className="text-sm text-muted">{t('{variable} found', { variable })}</span>
        </p>
        <Button
          look="primary"
          size="small"
          aria-label={t('Use {variable}', { variable })}
          disabled={isRunning}
          onClick={() => run()}
        >
          {isRunning ? t('Testing…') : t('Use it')}
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
      {failure !== null && <Note kind="bad">{failure}</Note>}
    </li>
  )
}
