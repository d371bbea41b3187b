import { useState } from 'react'
import type { ProviderInput } from '../../../../shared/entities.ts'
import type { ProviderType, VendorDocumentation } from '../../../../shared/provider-type.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { TextField } from '../../components/field.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { Loaded } from '../../components/page.tsx'
import { SecretField, takeSecret, useSecretField } from '../../components/secret-field.tsx'
import { Select } from '../../components/select.tsx'
import { useAction } from '../../components/use-action.ts'
import { errorBeside, errorOf } from '../../stores/client.ts'
import { addProvider, useProviderTypes } from '../../stores/providers.ts'
import { AddressFields, type TypedAddress } from './address-fields.tsx'
import { ProviderOptions, toOptions, type TypedOptions } from './provider-options.tsx'

const fields = ['id', 'type', 'baseUrl', 'privateNetwork', 'options', 'apiKey'] as const

/** The form that adds a provider and tests it. */
export function ProviderForm({ onClose }: { onClose: () => void }) {
  const types = useProviderTypes()
  return (
    <Dialog
      title="Add provider"
      description="We test the connection, then list its models for your routers."
      onClose={onClose}
    >
      <Loaded list={types} what="provider types">
        {(items) => <Form types={items.filter(({ isLocal }) => !isLocal)} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

function Form({ types, onClose }: { types: readonly ProviderType[]; onClose: () => void }) {
  const [type, setType] = useState(types[0])
  const [id, setId] = useState(types[0]?.type ?? '')
  const [address, setAddress] = useState<TypedAddress>({ baseUrl: '', isPrivate: false })
  const [typed, setTyped] = useState<TypedOptions>({})
  const key = useSecretField()
  const { run, isRunning, error } = useAction(async (input: ProviderInput) => {
    await addProvider(input)
    onClose()
  })
  if (!type) return <p className="text-sm text-muted">No provider types available.</p>

  function submit(chosen: ProviderType): void {
    const apiKey = takeSecret(key)
    const baseUrl = address.baseUrl.trim()
    run({
      id: id.trim(),
      type: chosen.type,
      ...(baseUrl !== '' || chosen.baseUrl === null ? { baseUrl } : {}),
      privateNetwork: address.isPrivate,
      options: toOptions(chosen.options, typed),
      ...(apiKey === '' ? {} : { apiKey }),
    })
  }
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit(type)
      }}
    >
      <Select
        label="Type"
        choices={types.map((choice) => ({ value: choice.type, label: choice.name }))}
        value={type.type}
        onChange={(chosen) => {
          setType(types.find((candidate) => candidate.type === chosen))
          if (id === type.type) setId(chosen)
        }}
      />
      {type.documentation && <DocumentationNote {...type.documentation} />}
      <TextField
        label="Id"
        hint="Prefix of its models, as in id:model. Use lower-case letters, digits and dashes."
        value={id}
        error={errorOf(error, 'id') ?? errorOf(error, 'type')}
        onChange={(event) => setId(event.target.value)}
      />
      <AddressFields
        {...{ type, address }}
        onType={setAddress}
        error={errorOf(error, 'baseUrl') ?? errorOf(error, 'privateNetwork')}
      />
      {type.keyRule !== 'none' && (
        <SecretField
          label={type.keyRule === 'optional' ? 'Key (optional)' : 'Key'}
          hint={
            type.keyUrl !== null && (
              <>
                Get a key at <OutsideLink address={type.keyUrl}>{type.keyUrl}</OutsideLink>
              </>
            )
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
        {isRunning ? 'Adding and testing…' : 'Add provider'}
      </Button>
    </form>
  )
}

function DocumentationNote({ url, comparedAt }: VendorDocumentation) {
  return (
    <p className="-mt-3 text-xs text-muted">
      <OutsideLink address={url}>API documentation</OutsideLink>
      {comparedAt === null
        ? ' · unverified: not compared with this page yet'
        : ` · compared on ${comparedAt}`}
    </p>
  )
}
