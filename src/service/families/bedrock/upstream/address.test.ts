import { expect, test } from 'vitest'
import { addressIn } from './address.ts'

test.each([
  [
    'the type’s own address',
    'https://bedrock-runtime.us-east-1.amazonaws.com',
    undefined,
    'us-east-1',
  ],
  [
    'another region',
    'https://bedrock-runtime.us-east-1.amazonaws.com',
    'eu-central-1',
    'eu-central-1',
  ],
])('%s has a control host of its own', (_name, baseUrl, region, expected) => {
  expect(addressIn(baseUrl, region)).toEqual({
    runtimeUrl: `https://bedrock-runtime.${expected}.amazonaws.com`,
    controlUrl: `https://bedrock.${expected}.amazonaws.com`,
    region: expected,
  })
})

test.each([
  [
    'FIPS',
    'https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com',
    'https://bedrock-fips.us-gov-west-1.amazonaws.com',
  ],
  [
    'China',
    'https://bedrock-runtime.cn-north-1.amazonaws.com.cn',
    'https://bedrock.cn-north-1.amazonaws.com.cn',
  ],
  [
    'a VPC endpoint',
    'https://vpce-0a-b1.bedrock-runtime.eu-west-1.vpce.amazonaws.com',
    'https://bedrock.eu-west-1.amazonaws.com',
  ],
])('%s keeps its address', (_name, runtimeUrl, controlUrl) => {
  expect(addressIn(runtimeUrl, undefined)).toMatchObject({ runtimeUrl, controlUrl })
})

test('a VPC endpoint signs for its own region, whatever the option says', () => {
  const endpoint = 'https://vpce-0a-b1.bedrock-runtime.eu-west-1.vpce.amazonaws.com'

  expect(addressIn(endpoint, 'us-east-1')).toMatchObject({
    runtimeUrl: endpoint,
    region: 'eu-west-1',
  })
})

test('a gateway serves answers and lists, and signs for the region of the option', () => {
  const gateway = 'https://aws.company.example/bedrock'

  expect(addressIn(gateway, 'eu-north-1')).toEqual({
    runtimeUrl: gateway,
    controlUrl: gateway,
    region: 'eu-north-1',
  })
})
