import type { Provider } from '../../../../shared/entities.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { readSecret, SecretField, useSecretField } from '../../components/secret-field.tsx'
import { useAction } from '../../components/use-action.ts'
import { Form } from '../../components/form.tsx'
import { errorBeside, errorOf } from '../../stores/client.ts'
import { setProviderKey } from '../../stores/providers.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** Replaces a provider's key. */
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
      title={
        provider.hasKey
          ? t('Replace key for {id}', { id: provider.id })
          : t('Add key for {id}', { id: provider.id })
      }
      description={
        provider.hasKey ? t('The new key replaces the old one in the keychain.') : undefined
      }
      onClose={onClose}
    >
      <Form onSubmit={() => run(readSecret(key))}>
        <SecretField label={t('New key')} error={errorOf(error, 'apiKey')} field={key} />
        {error && errorBeside(error, ['apiKey']) && <ErrorNote error={error} />}
        <Button look="primary" type="submit" disabled={isRunning} className="self-end">
          {isRunning ? t('Saving and testing…') : t('Save key')}
        </Button>
      </Form>
    </Dialog>
  )
}
