import { expect, test } from 'vitest'
import { asFileProblem, fileErrorWords, FileProblem } from './file-errors.ts'

function errorOf(fields: { code: string; path?: string; syscall?: string }): Error {
  return Object.assign(new Error(`${fields.code}: in the words of the system`), fields)
}

test.each([
  ['EACCES', 'may write there'],
  ['EPERM', 'may write there'],
  ['EROFS', 'is read-only'],
  ['SQLITE_READONLY_DIRECTORY', 'is read-only'],
  ['ENOSPC', 'The disk is full'],
  ['SQLITE_FULL', 'The disk is full'],
  ['EEXIST', 'is a file, but Modelport needs a folder there'],
  ['ENOTDIR', 'part of the path is a file'],
  ['EISDIR', 'is a folder, but Modelport needs a file there'],
  ['SQLITE_NOTADB', 'is damaged'],
  ['SQLITE_IOERR_WRITE', 'The disk reported an error'],
])('%s names the path, the problem and a solution', (code, words) => {
  const said = fileErrorWords(errorOf({ code, path: '/data/modelport' }))

  expect(said).toContain('/data/modelport')
  expect(said).toContain(words)
  expect(said).not.toContain('in the words of the system')
})

test('an error without a path takes the one that the caller knows', () => {
  const error = errorOf({ code: 'EISDIR' })

  expect(fileErrorWords(error)).toBeNull()
  expect(asFileProblem(error, '/data/tls/server.pem')).toEqual(
    new FileProblem(
      '/data/tls/server.pem is a folder, but Modelport needs a file there. Move the folder away, then try again.',
    ),
  )
})

test('any other error is unchanged', () => {
  const error = errorOf({ code: 'EADDRINUSE', path: '/x' })

  expect(fileErrorWords(error)).toBeNull()
  expect(asFileProblem(error, '/x')).toBe(error)
  expect(fileErrorWords(new TypeError('a bug'), '/x')).toBeNull()
})
