import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, tempDir, testRedis } from '@bursar/testing'
import { leaveServerCore, onServerCore } from './cores'
import { seedLedger, type LedgerSize } from './ledger-seed'
import { measure } from './measure'
import { startProcess, killAll } from './processes'
import { ledgerWithdrawals } from './scenarios/ledger-withdrawals'
const [rounds, seconds, conns, ...roots] = process.argv.slice(2)
process.on('exit', killAll)
await leaveServerCore()
const redis = await testRedis(); const home = tempDir(); let n=0
const newFolder=()=>{const f=join(home,String(++n)); mkdirSync(f,{mode:0o700}); return f}
const size: LedgerSize = { accounts: 5000, deposits: 5000 }
const seed=newFolder(); await seedLedger(seed,size)
const place:any={redisUrl:redis.url,bun:[process.execPath],newFolder,seeded(){throw 1}}
const fold=()=>{const f=newFolder(); copyFileSync(join(seed,'core.sqlite'),join(f,'core.sqlite')); return f}
const sub=(spec:string)=>{const [name,root,env='']=spec.split('=');const extra=Object.fromEntries(env.split(',').filter(Boolean).map(x=>x.split(':')));return {name,start:async()=>{const folder=fold();const port=String(await freePort());return startProcess({command:[...onServerCore,process.execPath,join(root,'services/core-ledger/src/main.ts')],env:{NODE_ENV:'production',DATA_DIR:folder,CORE_PORT:port,REDIS_URL:redis.url,WALLET_URL:'http://127.0.0.1:1',...extra},readyUrls:[`http://127.0.0.1:${port}/health`],log:join(folder,'core.log')})}}}
const raw={...ledgerWithdrawals.subjects.at(-1)!}
const r=await measure({...ledgerWithdrawals,connections:conns.split(',').map(Number),subjects:[...roots.map(sub),raw]} as any,place,{rounds:+rounds,seconds:+seconds,tell(){}})
for(const x of r){const f=r.find(y=>y.floor&&y.connections===x.connections)!;const m=(a:readonly number[])=>[...a].sort((p,q)=>p-q)[a.length>>1]; const ratios=x.perRound.map((v,i)=>v/f.perRound[i]!);console.log(String(x.connections).padStart(4),x.subject.padEnd(18),JSON.stringify({rps:Math.round(x.requestsPerSecond),p50:(x as any).p50Ms?.toFixed?.(2),p99:(x as any).p99Ms?.toFixed?.(2),cpu:(x as any).cpuMicros?.toFixed?.(1),mem:x.memoryMb,ofRaw:m(ratios).toFixed(3)}), JSON.stringify(Object.fromEntries(Object.entries(x).filter(([k])=>!['perRound','subject','floor','connections'].includes(k)).map(([k,v])=>[k,typeof v==='number'?+v.toFixed(2):v]))))}
await redis.stop(); process.exit()
