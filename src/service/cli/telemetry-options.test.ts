import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { toTelemetry } from './telemetry-options.ts'

const variables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/',
  OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, x-team=models',
  OTEL_SERVICE_NAME: 'gateway',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
}

test('OpenTelemetry’s variables alone send nothing', () => {
  expect(toTelemetry({}, variables)).toBeUndefined()
  expect(toTelemetry({ otlp: 'off' }, variables)).toBeUndefined()
})

test('when telemetry is on, OpenTelemetry’s variables are read', () => {
  expect(toTelemetry({ otlp: 'on' }, variables)).toMatchObject({
    url: new URL('https://collector.example/otlp/'),
    headers: { 'api-key': 'a b', 'x-team': 'models' },
    resource: { 'service.name': 'gateway', 'deployment.environment.name': 'test' },
    sampleRatio: 1,
  })
  expect(toTelemetry({ otlp: 'on' }, {})).toMatchObject({
    url: new URL('http://localhost:4318'),
    resource: { 'service.name': 'modelport' },
  })
})

test('an address in the option wins over the variable', () => {
  const url = new URL('http://10.0.0.5:4318')

  expect(toTelemetry({ otlp: url, otlpSample: 0.1 }, variables)).toMatchObject({
    url,
    sampleRatio: 0.1,
  })
})

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'Expected an address'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'secret' }, 'Expected name=value pairs'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=%' }, 'Expected name=value pairs'],
])('an invalid variable is named without its value (%j)', (env, words) => {
  expect(() => toTelemetry({ otlp: 'on' }, env)).toThrow(`${Object.keys(env)[0]}: ${words}`)
  expect(() => toTelemetry({ otlp: 'on' }, env)).not.toThrow('secret')
})

test.each([
  [['--otlp', 'grpc://collector:4317'], 'Expected an address such as http://localhost:4318'],
  [['--otlp', 'http://user:secret@collector'], 'Expected an address such as http://localhost:4318'],
  [['--otlp-sample', '2'], 'Expected a number from 0 to 1.'],
])('serve %j is wrong usage', async (args, words) => {
  const { code, stderr } = await newModelport().run(['serve', ...args])

  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) })
})
