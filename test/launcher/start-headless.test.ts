import { expect, test } from 'vitest'
import { composeGuide, parseJsonLines } from '../../scripts/start-headless.mjs'

const service = {
  url: 'https://localhost:6778',
  caFile: '/home/ada/.config/Modelport/ca.pem',
  routerId: 'router_AbCdEfGh12345678',
}

test('the first start shows the key once and a curl line that reads it from the environment', () => {
  const guide = composeGuide({ ...service, apiKey: 'mp_secret' }).join('\n')

  expect(guide).toContain('export MODELPORT_API_KEY=mp_secret')
  expect(guide).toContain(
    `curl --cacert '${service.caFile}' https://localhost:6778/api/router/${service.routerId}/v1/chat/completions`,
  )
  expect(guide).toContain('Bearer $MODELPORT_API_KEY')
})

test('later starts say how to create another key', () => {
  const guide = composeGuide({ ...service, apiKey: null }).join('\n')

  expect(guide).toContain('node bin/modelport.mjs key create --name "My program" --routers all')
  expect(guide).not.toContain('mp_')
})

test('without a router there is no curl line, but instructions to create one', () => {
  const guide = composeGuide({ ...service, routerId: null, apiKey: null }).join('\n')

  expect(guide).not.toContain('curl')
  expect(guide).toContain('router create')
})

test.each([
  ['line by line', '{"id":"a"}\n{"id":"b"}\n'],
  ['as one array', '[{"id":"a"},{"id":"b"}]\n'],
])('a list printed %s is read', (_form, stdout) => {
  expect(parseJsonLines(stdout)).toEqual([{ id: 'a' }, { id: 'b' }])
})
