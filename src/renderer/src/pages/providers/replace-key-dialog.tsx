import type { Provider } from '../../../../shared/entities.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { SecretField, takeSecret, useSecretField } from '../../components/secret-field.tsx'
import { useAction } from '../../components/use-action.ts'
import { errorBeside, errorOf } from '../../stores/client.ts'
import { setProviderKey } from '../../stores/providers.ts'

/** Puts another key in the place of a provider's. */
export function ReplaceKeyDialog({
  provider,
  onClose,
}: {
  provider: Provider
  onClose: () => void
}) {
  const key = useSecretField()
  const { run, isRunning, error } = useAction(async (apiKey: string) => {
    await setProviderKey(provider.id, apiKey)
    onClose()
  })
  return (
    <Dialog
      title={`${provider.hasKey ? 'Replace the key' : 'Add a key'} of ${provider.id}`}
      description={provider.hasKey ? 'The old key is deleted from the key store.' : undefined}
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          run(takeSecret(key))
        }}
      >
        <SecretField label="New key" error={errorOf(error, 'apiKey')} field={key} />
        {error && errorBeside(error, ['apiKey']) && <ErrorNote error={error} />}
        <Button look="primary" type="submit" disabled={isRunning} className="self-end">
          {isRunning ? 'Saving and testing…' : 'Save key'}
        </Button>
      </form>
    </Dialog>
  )
}
