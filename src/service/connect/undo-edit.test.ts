/** Modelport's values are taken out of files that tools and people changed since. */
import { describe, expect, test } from 'vitest'
import { editToml } from './edit-toml.ts'
import { UnreadableFile } from './tool.ts'
import { isEmptyFile, ownChanges, withoutOwn } from './undo-edit.ts'

function undone(file: string, texts: { before: string; after: string; now: string }): string {
  const { before, after, now } = texts
  return withoutOwn(file, now, { before, changes: ownChanges(file, before, after) })
}

describe('JSON', () => {
  const before = '{\n  // mine\n  "env": {\n    "A": "1",\n    "B": "2"\n  }\n}\n'
  const after =
    '{\n  // mine\n  "env": {\n    "A": "own",\n    "B": "2",\n    "KEY": "mp_x"\n  },\n  "model": "auto"\n}\n'

  test('gets the values back that were there, and keeps what the tool added', () => {
    const now = after.replace('"model": "auto"', '"model": "auto",\n  "seen": [1, 2]')

    expect(undone('settings.json', { before, after, now })).toBe(
      '{\n  // mine\n  "env": {\n    "A": "1",\n    "B": "2"\n  },\n  "seen": [1, 2]\n}\n',
    )
  })

  test('keeps a value that is no longer as Modelport wrote it', () => {
    const now = after.replace('"auto"', '"gpt-5"')

    expect(JSON.parse(undone('a.json', { before: '{}', after, now: stripped(now) }))).toEqual({
      model: 'gpt-5',
    })
  })

  test('may have lost its comments and its indentation', () => {
    const now = JSON.stringify({ ...JSON.parse(stripped(after)), theme: 'dark' })

    expect(JSON.parse(undone('a.json', { before, after, now }))).toEqual({
      env: { A: '1', B: '2' },
      theme: 'dark',
    })
  })

  test('that is not readable any more is refused', () => {
    expect(() => undone('a.json', { before, after, now: '{"model": ' })).toThrow(UnreadableFile)
  })

  test('with nothing but Modelport’s values is empty afterwards', () => {
    const now = `${stripped(after)}\n\n`
    expect(
      isEmptyFile('a.json', undone('a.json', { before: '', after: stripped(after), now })),
    ).toBe(true)
  })
})

test('TOML keeps the tables that the tool added', () => {
  const before = '# mine\nmodel = "gpt-5" # favourite\n'
  const after =
    '# mine\nmodel = "auto" # favourite\nmodel_context_window = 9\n\n[model_providers.modelport]\nname = "Modelport"\nbase_url = "https://localhost"\n'
  const added = '\n[projects."/home/me"]\ntrust_level = "trusted"\n'

  expect(undone('config.toml', { before, after, now: after + added }).trim()).toBe(
    `${before}${added}`.trim(),
  )
})

test('YAML loses the listed item, and keeps the tool’s own', () => {
  const before = '# mine\nmodels:\n  - name: Other\n    model: x # keep\n'
  const after = `${before}  - name: Modelport\n    model: auto\n    roles:\n      - chat\n`
  const now = `${after}  - name: Third\n    model: z\nschema: v1\n`

  expect(undone('config.yaml', { before, after, now })).toBe(
    `${before}  - name: Third\n    model: z\nschema: v1\n`,
  )
})

test('a YAML list that only Modelport filled is removed with its item', () => {
  const after = 'set-env:\n  - SSL_CERT_FILE=/ca.pem\n'
  const now = `${after}model: mine\n`

  expect(undone('.aider.conf.yml', { before: '', after, now })).toBe('model: mine\n')
})

test('variables get their old lines back, and new ones are removed', () => {
  const texts = { before: 'A=1\n', after: 'A=own\nKEY=mp_x\n', now: 'A=own\nKEY=mp_x\nB=2\n' }

  expect(undone('.env', texts)).toBe('A=1\nB=2\n')
})

function stripped(text: string): string {
  return text.replace('  // mine\n', '')
}

test('TOML keeps the comment of its first table, above which Modelport’s values stand', () => {
  const before = '# agreed with the team\n[tui]\ntheme = "dark"\nid = 9007199254740993\n'
  const change = {
    values: { model: 'auto' },
    table: { path: ['model_providers', 'modelport'] as const, values: { name: 'Modelport' } },
  }
  const after = editToml(before, change)
  const added = '\n[projects."/home/me"]\ntrust_level = "trusted"\n'

  expect(undone('config.toml', { before, after, now: after + added }).trim()).toBe(
    `${before}${added}`.trim(),
  )
})
