import { expect, test } from 'vitest'
import { isGranted, offeredGrants } from './grants.ts'

test.each([
  [{ path: '/home/ada/notes/a.txt' }, [['path', 'folder', '/home/ada/notes']]],
  [{ path: '/home/ada/../eve/a.txt' }, [['path', 'folder', '/home/eve']]],
  [{ path: String.raw`C:\notes\a.txt` }, [['path', 'folder', String.raw`C:\notes`]]],
  [{ url: 'https://example.com:8443/a?b' }, [['url', 'host', 'example.com:8443']]],
  [{ url: 'https://example.com@evil.example/' }, []],
  [{ url: 'http://example.com/' }, []],
  [{ path: '/a.txt' }, []],
  [{ path: 'notes/a.txt' }, []],
  [{ text: 'Buy milk', count: 3 }, []],
  [{ cwd: '/home/ada/notes', command: 'ls' }, []],
])('%j can be allowed within %j', (args, offered) => {
  const grants = offeredGrants(args)
  expect(grants.map(({ argument, kind, within }) => [argument, kind, within])).toEqual(offered)
})

const folder = { argument: 'path', kind: 'folder', within: '/a/b' } as const
const host = { argument: 'url', kind: 'host', within: 'example.com' } as const

test.each([
  [{ path: '/a/b/c.txt' }, true],
  [{ path: '/a/b/./d//c.txt' }, true],
  [{ path: '/a/bc' }, false],
  [{ path: '/a/b' }, false],
  [{ path: '/a/b/../c.txt' }, false],
  [{ path: '/a/b/%2e%2e/c.txt' }, true],
  [{ path: '/A/b/c.txt' }, false],
  [{ path: 'a/b/c.txt' }, false],
  [{ path: '/a/b/c.txt\n/etc/passwd' }, false],
  [{ path: ['/a/b/c.txt'] }, false],
  [{ other: '/a/b/c.txt' }, false],
  [{ path: '/a/b/c.txt', text: 'Buy milk' }, true],
  [{ path: '/a/b/c.txt', to: '/a/b/d.txt' }, true],
  [{ path: '/a/b/c.txt', to: '/etc/passwd' }, false],
  [{ path: '/a/b/c.txt', to: '../../etc/passwd' }, false],
  [{ path: '/a/b/c.txt', to: 'd/../../../etc/passwd' }, false],
  [{ path: '/a/b/c.txt', more: [{ to: '~/.ssh/id' }] }, false],
  [{ path: '/a/b/c.txt', to: 'file:///etc/passwd' }, false],
  [{ path: '/a/b/c.txt', to: '.ssh/authorized_keys' }, false],
  [{ path: '/a/b/c.txt', to: '.bashrc' }, false],
  [{ path: '/a/b/c.txt', to: 'Documents/x' }, false],
  [{ path: '/a/b/c.txt', to: 'notes.txt' }, false],
  [{ path: '/a/b/c.txt', to: '$HOME/.bashrc' }, false],
  [{ path: '/a/b/c.txt', to: '%USERPROFILE%' }, false],
  [{ path: '/a/b/c.txt', to: 'evil.example/x' }, false],
  [{ path: '/a/b/c.txt', to: 'evil.example' }, false],
  [{ path: '/a/b/c.txt', files: { '/etc/passwd': 'x' } }, false],
  [{ path: '/a/b/c.txt', options: { encoding: 'utf8', mode: 420 } }, true],
  [{ path: '/a/b/c.txt', text: 'See e.g. /etc for more.' }, true],
  [{ path: '/a/b/c.txt', Command: 'cat /etc/passwd' }, false],
  [{ path: '/a/b/c.txt', commandLine: 'ls' }, false],
  [{ path: '/a/b/c.txt', steps: [{ shell_command: 'ls' }] }, false],
  [{ url: 'https://example.com/a' }, true],
  [{ url: 'https://EXAMPLE.com/a' }, true],
  [{ url: 'https://www.example.com/' }, false],
  [{ url: 'https://example.com.evil.example/' }, false],
  [{ url: 'https://example.com:444/' }, false],
  [{ url: 'https://example.com@evil.example/' }, false],
  [{ url: String.raw`https://evil.example\@example.com/` }, false],
  [{ url: 'http://example.com/' }, false],
])('%j is within a grant: %j', (args, isWithin) => {
  expect(isGranted([folder, host], args)).toBe(isWithin)
})
