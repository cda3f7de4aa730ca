import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { TestService } from '@bursar/testing/service'
import { refused, testMessages } from './harness'

let service: TestService
beforeAll(async () => {
  service = await testMessages()
})
afterAll(() => service.close())

const post = (messageType: string, content: { xml?: string; document?: object }) =>
  service.post('/messages', { type: 'ISO20022', data: { messageType, ...content }, participantId: 'bank-1' })
const problems = async (messageType: string, xml: string) => refused(await post(messageType, { xml }), 400)

const header =
  '<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-01-31T12:00:00Z</CreDtTm><NbOfTxs>1</NbOfTxs><SttlmInf><SttlmMtd>CLRG</SttlmMtd></SttlmInf></GrpHdr>'
const transfer =
  '<CdtTrfTxInf><PmtId><EndToEndId>E1</EndToEndId></PmtId><IntrBkSttlmAmt Ccy="USD">10.00</IntrBkSttlmAmt><ChrgBr>SHAR</ChrgBr>' +
  '<Dbtr><Nm>A</Nm></Dbtr><DbtrAgt><FinInstnId><BICFI>AAAAUS33</BICFI></FinInstnId></DbtrAgt>' +
  '<CdtrAgt><FinInstnId><BICFI>BBBBUS33</BICFI></FinInstnId></CdtrAgt><Cdtr><Nm>B</Nm></Cdtr></CdtTrfTxInf>'
const pacs008 = (body = header + transfer, version = '08') =>
  `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pacs.008.001.${version}"><FIToFICstmrCdtTrf>${body}</FIToFICstmrCdtTrf></Document>`
const bank = '<FinInstnId><BICFI>AAAAUS33</BICFI></FinInstnId>'
const pacs009 = `<Document><FICdtTrf>${header}<CdtTrfTxInf><PmtId><EndToEndId>E1</EndToEndId></PmtId><IntrBkSttlmAmt Ccy="USD">1</IntrBkSttlmAmt><Dbtr>${bank}</Dbtr><Cdtr>${bank}</Cdtr></CdtTrfTxInf></FICdtTrf></Document>`
const balance =
  '<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-31</Dt></Dt></Bal>'
const camt053 = (statement = `<Id>S1</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>${balance}`) =>
  `<Document><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-01-31T12:00:00Z</CreDtTm></GrpHdr><Stmt>${statement}</Stmt></BkToCstmrStmt></Document>`

describe('a complete message is accepted', () => {
  test.each([
    ['pacs.008', pacs008()],
    ['pacs.008.001.08', pacs008()],
    ['pacs.008', pacs008(header + transfer + transfer)],
    [
      'pacs.008',
      pacs008().replaceAll('<', '<p:').replaceAll('<p:/', '</p:').replace('<p:?', '<?').replace('xmlns=', 'xmlns:p='),
    ],
    ['pacs.009', pacs009],
    ['pacs.009', pacs009.replaceAll('FICdtTrf>', 'FinInstnCdtTrf>')],
    ['camt.053', camt053()],
    ['pain.001', '<Document><CstmrCdtTrfInitn/></Document>'],
  ])('%s', async (messageType, xml) => {
    const { status, body } = await post(messageType, { xml })
    expect([status, body.data?.xml]).toEqual([201, xml])
  })

  test('as an object, with Document around it or without', async () => {
    const inner = {
      GrpHdr: { MsgId: 'M', CreDtTm: 'T' },
      Stmt: [
        {
          Id: 'S',
          Acct: { Id: 'A' },
          Bal: [{ Tp: 'x', Amt: { '@Ccy': 'EUR', '#text': '1' }, CdtDbtInd: 'CRDT', Dt: 'd' }],
        },
      ],
    }
    expect((await post('camt.053', { document: { BkToCstmrStmt: inner } })).status).toBe(201)
    expect((await post('camt.053', { document: { Document: { BkToCstmrStmt: inner } } })).status).toBe(201)
    expect(refused(await post('camt.053', { document: { BkToCstmrStmt: { ...inner, Stmt: [] } } }), 400)).toEqual([
      'data.document lacks the mandatory element BkToCstmrStmt/Stmt',
    ])
  })
})

describe('400 names the mandatory elements that are missing', () => {
  test.each([
    ['pacs.008', pacs008(transfer), 'FIToFICstmrCdtTrf/GrpHdr/MsgId'],
    ['pacs.008', pacs008(header), 'FIToFICstmrCdtTrf/CdtTrfTxInf'],
    [
      'pacs.008',
      pacs008(header + transfer.replace(' Ccy="USD"', '')),
      'FIToFICstmrCdtTrf/CdtTrfTxInf/IntrBkSttlmAmt/@Ccy',
    ],
    [
      'pacs.008',
      pacs008(header + transfer + transfer.replace('<ChrgBr>SHAR</ChrgBr>', '')),
      'FIToFICstmrCdtTrf/CdtTrfTxInf[2]/ChrgBr',
    ],
    ['pacs.008', pacs008(header + transfer.replace('<Nm>A</Nm>', '')), 'FIToFICstmrCdtTrf/CdtTrfTxInf/Dbtr'],
    ['pacs.008', pacs008(header.replace('M1', ' ') + transfer), 'FIToFICstmrCdtTrf/GrpHdr/MsgId'],
    ['pacs.008', pacs009, 'FIToFICstmrCdtTrf'],
    ['pacs.009', pacs009.replace('<EndToEndId>E1</EndToEndId>', ''), 'FICdtTrf/CdtTrfTxInf/PmtId/EndToEndId'],
    ['camt.053', camt053(`<Id>S1</Id>${balance}`), 'BkToCstmrStmt/Stmt/Acct/Id'],
    ['camt.053', camt053().replace('<CdtDbtInd>CRDT</CdtDbtInd>', ''), 'BkToCstmrStmt/Stmt/Bal/CdtDbtInd'],
    [
      'camt.053',
      camt053().replace(balance, balance + balance.replace('<Amt Ccy="EUR">1.00</Amt>', '')),
      'BkToCstmrStmt/Stmt/Bal/Amt',
    ],
  ])('%s', async (messageType, xml, path) => {
    expect(await problems(messageType, xml)).toContain(`data.xml lacks the mandatory element ${path}`)
  })
})

describe('400 for XML that cannot be accepted', () => {
  test.each([
    ['not closed', '<Document><a></Document>', /^data\.xml is not well-formed/],
    ['no XML', 'hello', /^data\.xml (is not well-formed|must hold one element Document)/],
    ['no Document', '<Other/>', /^data\.xml must hold one element Document$/],
    ['of another type', pacs008(), /^data\.xml is a pacs\.008\.001\.08, and messageType says pacs\.009$/],
  ])('%s', async (_, xml, words) => {
    expect((await problems('pacs.009', xml))[0]).toMatch(words)
  })

  test('entities, of any kind', async () => {
    const bomb = `<!DOCTYPE Document [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${pacs008(header.replace('M1', '&b;') + transfer)}`
    expect(await problems('pacs.008', bomb)).toEqual(['data.xml must not have a document type'])
    const file = `<!doctype Document [<!ENTITY f SYSTEM "file:///etc/passwd">]>${pacs008()}`
    expect(await problems('pacs.008', file)).toEqual(['data.xml must not have a document type'])
  })

  test('more elements and attributes than a body may have values', async () => {
    const tooMany = ['data.xml must not have more than 20,000 elements and attributes']
    const wide = (elements: number) => `<Document>${'<a b="1">2</a>'.repeat(elements)}</Document>`
    expect(await problems('pain.001', wide(10_000))).toEqual(tooMany)
    expect((await post('pain.001', { xml: wide(9_999) })).status).toBe(201)
  })

  test('nesting a hundred thousand levels deep gets an answer', async () => {
    const deep = `<Document>${'<a>'.repeat(60_000)}${'</a>'.repeat(60_000)}</Document>`
    expect((await post('pacs.008', { xml: deep })).status).toBe(400)
  })
})
