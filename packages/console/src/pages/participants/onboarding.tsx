import { dataOf, main } from '../../api/services'
import { useCan, useSession } from '../../api/session'
import { Act } from '../../ui/act'
import { Card } from '../../ui/card'
import { DialogButton } from '../../ui/dialog-button'
import { Field } from '../../ui/field'
import { Icon } from '../../ui/icon'
import { Note } from '../../ui/states'
import { Time } from '../../ui/time'
import type { Institution, InstitutionRow } from './institution-query'
import { type Step, stepsOf } from './onboarding-steps'
import { refresh } from './review-acts'
import { isForAnother } from './review-moves'

/** The progress of an institution's onboarding: invitation, review, admission. Once it takes part, its history has it. */
export function Onboarding({ of }: { of: InstitutionRow & Partial<Institution> }) {
  const canOperate = useCan('operate')
  const session = useSession()
  const steps = stepsOf(of)
  const hasFailed = of.invitation?.status === 'FAILED' && of.status !== 'OFFBOARDED'
  if (steps.every(({ state }) => state === 'done')) return null
  return (
    <Card title="Onboarding">
      <ol class="steps">
        {steps.map((step) => (
          <StepItem key={step.title} step={step} />
        ))}
      </ol>
      {isForAnother(of, session) ? (
        <Note tone="wait">You have registered it: another person must approve it.</Note>
      ) : null}
      {of.invitation?.status === 'FAILED' ? (
        <Note tone="bad">
          <p>
            <strong>Its first user was not invited.</strong> {of.invitation.problem}
          </p>
          {hasFailed && canOperate ? (
            <DialogButton isSmall icon="refresh" dialog={(close) => <InviteAgain of={of} onClose={close} />}>
              Invite again
            </DialogButton>
          ) : null}
        </Note>
      ) : null}
      {of.admission?.status === 'FAILED' ? (
        <Note tone="bad">
          <strong>The participant service refuses it.</strong> {of.admission.problem}
        </Note>
      ) : null}
    </Card>
  )
}

function StepItem({ step: { title, state, at, words } }: { step: Step }) {
  return (
    <li class={`step is-${state}`}>
      <span class="step-sign">
        <Icon name={signs[state]} size={14} />
      </span>
      <span class="step-title">{title}</span>
      <span class="step-words">{at ? <Time at={at} isWhole /> : words}</span>
    </li>
  )
}

const signs = { done: 'check', now: 'clock', failed: 'bang', next: 'circle' } as const

function InviteAgain({ of: { id, name, email }, onClose }: { of: InstitutionRow; onClose(): void }) {
  return (
    <Act
      title={`Invite the first user of ${name} again?`}
      confirm="Invite"
      act={({ text, headers }) => {
        const body = text('email') === email ? {} : { email: text('email') }
        return dataOf(main.POST('/admin/pfi/{id}/invitation', { params: { path: { id } }, body, headers }))
      }}
      done={({ email: to }) => `The invitation to ${to} is on its way`}
      onDone={() => refresh(id)}
      onRefused={() => refresh(id)}
      onClose={onClose}
    >
      <p>A mail with a link goes to this address. Whoever opens it sets a password and becomes its administrator.</p>
      <Field
        label="E-mail"
        name="email"
        type="email"
        required
        maxLength={254}
        defaultValue={email}
        hint="If another user already has the address, enter another one: it becomes the address of the institution."
      />
    </Act>
  )
}
