import assert from "node:assert/strict";
import { undone } from "./money-files.ts";
import {
  amountOf,
  DAYS,
  invoiceBody,
  invoicesOf,
  newCompany,
  oneOf,
  paymentsOf,
  shuffled,
  someInvoice,
  type Stage,
} from "./money-stage.ts";

/** Writes of invoices, payments and companies by the API and the pages. */
export const writes = {
  async invoice(stage: Stage) {
    const body = invoiceBody(stage);
    const { status } = await stage.tenant.post(`/api/v1/companies/${oneOf(stage, stage.companies)}/invoices`, body);
    assert.equal(status, 201);
  },
  async invoices(stage: Stage) {
    const items = Array.from({ length: 4 }, () => ({
      ...invoiceBody(stage),
      company_id: oneOf(stage, stage.companies),
    }));
    const { body, text } = await stage.tenant.post("/api/v1/invoices/batch", { items });
    assert.ok(
      body.results.every(({ outcome }: { outcome: string }) => outcome === "created"),
      text,
    );
  },
  async payment(stage: Stage) {
    const { id } = await someInvoice(stage, "i.status in ('issued', 'paid')");
    const count = (await paymentsOf(stage)).length;
    const body = { amount: amountOf(stage), paid_on: oneOf(stage, DAYS) };
    if (stage.random(2) === 0) await stage.tenant.post(`/api/v1/invoices/${id}/payments`, body);
    else await stage.member.post(`/invoices/${id}/payments`, { ...body, means: "bank" });
    assert.equal((await paymentsOf(stage)).length, count + 1);
  },
  async paidInFull(stage: Stage) {
    const { id, total } = await someInvoice(stage, "i.status = 'issued' and i.total > 0");
    await stage.tenant.post("/api/v1/payments/batch", {
      items: [{ invoice_id: Number(id), amount: total, paid_on: oneOf(stage, DAYS) }],
    });
  },
  async refund(stage: Stage) {
    const { id } = await someInvoice(stage, "i.status <> 'draft'");
    const count = (await paymentsOf(stage)).length;
    await stage.tenant.post(`/api/v1/invoices/${id}/payments`, {
      amount: `-${amountOf(stage, 6_000)}`,
      paid_on: oneOf(stage, DAYS),
    });
    assert.equal((await paymentsOf(stage)).length, count + 1);
  },
  async deletedPayment(stage: Stage) {
    const ids = await paymentsOf(stage);
    if (ids.length === 0) return;
    const id = oneOf(stage, ids);
    if (stage.random(2) === 0) await stage.tenant.delete(`/api/v1/payments/${id}`);
    else await stage.member.post(`/payments/${id}/delete`);
    assert.deepEqual(
      await paymentsOf(stage),
      ids.filter((each) => each !== id),
    );
  },
  async changed(stage: Stage) {
    const { id } = await someInvoice(stage);
    const { number: _number, status: _status, ...values } = invoiceBody(stage);
    const names = Object.keys(values).filter(() => stage.random(2) === 0);
    await stage.tenant.put(`/api/v1/invoices/${id}`, Object.fromEntries(names.map((name) => [name, values[name]])));
  },
  async status(stage: Stage) {
    const { id, status } = await someInvoice(stage);
    if (stage.random(2) === 0) {
      await stage.tenant.put(`/api/v1/invoices/${id}`, {
        status: oneOf(stage, ["issued", "paid", "cancelled", "draft"]),
      });
    } else {
      const step = { draft: "issue", issued: "pay", paid: "unpay", cancelled: "reopen" }[status] ?? "pay";
      await stage.member.post(`/invoices/${id}/status`, { step });
    }
  },
  async paidTogether(stage: Stage) {
    const ids = (await invoicesOf(stage)).map(({ id }) => id).filter(() => stage.random(3) === 0);
    const before = await paymentsOf(stage);
    await stage.member.post("/orders/pay", { id: ids, paid_on: oneOf(stage, DAYS), to: "/orders" });
    const { text } = await stage.member.get("/orders");
    const [, path] = /action="(\/imports\/\d+)\/undo"/.exec(text) ?? [];
    if (path === undefined || stage.random(2) === 0) return;
    const made = (await paymentsOf(stage)).filter((id) => !before.includes(id));
    await undone(stage, path, made);
    assert.deepEqual(await paymentsOf(stage), before);
  },
  async terms(stage: Stage) {
    const company = oneOf(stage, stage.companies);
    await stage.tenant.put(`/api/v1/companies/${company}`, {
      terms: { payment_days: oneOf(stage, [null, 0, 10, 60]) },
    });
    const { id } = await someInvoice(stage, `i.company_id = ${company}`);
    await stage.tenant.put(`/api/v1/invoices/${id}`, { due_on: null, issued_on: oneOf(stage, DAYS) });
  },
  async corrected(stage: Stage) {
    const { id, company_id: company } = await someInvoice(stage, "i.status = 'cancelled'");
    const lines = { "lines.0.description": "Goods", "lines.0.quantity": "1", "lines.0.unit_price": amountOf(stage) };
    const form = {
      company,
      corrects: id,
      number: `LG-${stage.next()}`,
      currency: "RON",
      issued_on: oneOf(stage, DAYS),
      ...lines,
    };
    assert.match(String((await stage.member.post("/invoices", form)).location), /^\/invoices\/\d+$/);
  },
  async creditNote(stage: Stage) {
    const body = { ...invoiceBody(stage), total: `-${amountOf(stage)}`, status: "issued" };
    const company = oneOf(stage, stage.companies);
    const { data } = (await stage.tenant.post(`/api/v1/companies/${company}/invoices`, body)).body;
    if (stage.random(2) === 0) await stage.tenant.post(`/api/v1/invoices/${data.id}/payments`, { amount: data.total });
  },
  async deletedCompany(stage: Stage) {
    const id = await newCompany(stage);
    await stage.tenant.delete(`/api/v1/companies/${id}`);
    assert.equal((await stage.tenant.post(`/api/v1/companies/${id}/restore`)).status, 200);
    const other = oneOf(stage, stage.companies);
    const { status } = await stage.tenant.delete(`/api/v1/companies/${other}`);
    if (status !== 200) return;
    stage.companies = stage.companies.filter((each) => each !== other);
    if (stage.random(2) === 0) {
      assert.equal((await stage.tenant.post(`/api/v1/companies/${other}/restore`)).status, 200);
      stage.companies.push(other);
    } else if (stage.companies.length < 3) await newCompany(stage);
  },
  async merged(stage: Stage) {
    if (stage.companies.length < 3) await newCompany(stage);
    const [kept, from] = shuffled(stage, stage.companies);
    const { status, body, text } = await stage.tenant.post(`/api/v1/companies/${kept}/merge`, { from });
    assert.equal(status, 200, text);
    stage.companies = stage.companies.filter((each) => each !== from);
    stage.merges.push({ id: body.meta.merge_id, from: Number(from) });
  },
  async unmerged(stage: Stage) {
    if (stage.merges.length === 0) await writes.merged(stage);
    await writes.payment(stage);
    const merge = stage.merges.pop();
    const { status } = await stage.tenant.post(`/api/v1/merges/${merge?.id}/undo`);
    if (status === 200) stage.companies.push(Number(merge?.from));
  },
};
