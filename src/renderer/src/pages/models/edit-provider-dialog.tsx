import { useState } from 'react'
import type { Provider, ProviderChanges } from '../../../../shared/entities.ts'
import type { ProviderType } from '../../../../shared/models/provider-type.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loaded } from '../../components/page.tsx'
import { readSecret, SecretField, useSecretField } from '../../components/secret-field.tsx'
import { useAction } from '../../components/use-action.ts'
import { Form } from '../../components/form.tsx'
import { errorBeside, errorOf } from '../../stores/client.ts'
import { updateProvider, useProviderTypes } from '../../stores/providers.ts'
import { AddressFields, originOf, type TypedAddress } from './address-fields.tsx'
import { ProviderOptions, toOptions, toTyped } from './provider-options.tsx'
import { t } from '../../../../shared/strings/strings.ts'

const fields = ['baseUrl', 'privateNetwork', 'options', 'apiKey'] as const

interface EditProviderProps {
  provider: Provider
  onClose: () => void
}

/** Changes a provider's address and options, and asks for the key of a new address. */
export function EditProviderDialog({ provider, onClose }: EditProviderProps) {
  const types = useProviderTypes()
  return (
    <Dialog
      title={t('Edit {id}', { id: provider.id })}
      description={provider.typeName}
      onClose={onClose}
    >
      <Loaded list={types} what={t('provider types')}>
        {(items) => {
          const type = items.find((candidate) => candidate.type === provider.type)
          return type ? <ProviderForm {...{ provider, type, onClose }} /> : null
        }}
      </Loaded>
    </Dialog>
  )
}

function ProviderForm({ provider, type, onClose }: EditProviderProps & { type: ProviderType }) {
  const isUsual = provider.baseUrl === type.baseUrl
  const [address, setAddress] = useState<TypedAddress>({
    baseUrl: isUsual ? '' : (provider.baseUrl ?? ''),
    isPrivate: provider.privateNetwork,
  })
  const [typed, setTyped] = useState(toTyped(provider.options))
  const key = useSecretField()
  const { run, isRunning, error } = useAction(async (changes: ProviderChanges) => {
    await updateProvider(provider.id, changes)
    onClose()
  })
  const target = address.baseUrl.trim() || (type.baseUrl ?? '')
  const newOrigin = originOf(target)
  const isMoved = newOrigin !== null && newOrigin !== originOf(provider.baseUrl ?? '')

  function submit(): void {
    const apiKey = readSecret(key)
    run({
      baseUrl: address.baseUrl.trim() || null,
      privateNetwork: address.isPrivate,
      options: toOptions(type.options, typed),
      ...(apiKey === '' ? {} : { apiKey }),
    })
  }
  return (
    <Form onSubmit={() => submit()}>
      <AddressFields
        {...{ type, address }}
        onType={setAddress}
        error={errorOf(error, 'baseUrl') ?? errorOf(error, 'privateNetwork')}
      />
      {isMoved && type.keyRule !== 'none' && (
        <SecretField
          label={
            type.keyRule === 'optional'
              ? t('Key for this address (optional)')
              : t('Key for this address')
          }
          hint={
            provider.hasKey
              ? t('The saved key belongs to {originOf} and is not sent to {newOrigin}.', {
                  originOf: originOf(provider.baseUrl ?? ''),
                  newOrigin,
                })
              : undefined
          }
          error={errorOf(error, 'apiKey')}
          field={key}
        />
      )}
      <ProviderOptions
        options={type.options}
        typed={typed}
        onType={setTyped}
        error={errorOf(error, 'options')}
      />
      {error && errorBeside(error, fields) && <ErrorNote error={error} />}
      <Button look="primary" type="submit" disabled={isRunning} className="self-end">
        {isRunning ? t('Saving and testing…') : t('Save')}
      </Button>
    </Form>
  )
}
