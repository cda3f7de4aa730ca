import { expect, test } from 'bun:test'
import { openService } from './harness'
test('smoke', async () => {
  const m = await openService()
  const a = await m.party({name:'Alpha'}); const b = await m.party()
  for (let i=0;i<5;i++) await m.post('/deposit', { amount: `1${i}.50`, currency: 'usd', participantBankId: b.bank.id })
  for (let i=0;i<5;i++) await m.post('/transfer', { amount: `${9-i}`, currency: 'USD', fromParticipantBankId: a.pfi.id, toParticipantBankId: b.bank.id })
  for (const q of ['', 'limit=0', 'status=PENDING', 'status=PENDING&status=COMPLETED', 'status[]=PENDING&type[]=TRANSFER', 'status%5B%5D=PENDING', 'status=PENDING,COMPLETED', 'status[0]=PENDING', 'status=NOPE', 'status=', 'search=alp', 'search=alp&type=DEPOSIT', 'sortBy=amount&limit=3', 'sortBy=amount&limit=3&sortDirection=ASC', 'sortBy=type&limit=3&offset=4&sortDirection=ASC', 'sortBy=updatedAt&search=alpha', 'sortBy=currency&search=%25', 'sortBy=status&status=FAILED','sortBy=x','offset=100001']) {
    const r = await m.get('/transactions?'+q)
    console.log(q, r.status, r.status===200 ? JSON.stringify(r.body.pageInfo)+r.body.data.map((x:any)=>x.type[0]+x.amount) : r.body.error.message)
  }
})
