"use strict";
const KEY = "vantage-review-" + SET.set;
const articles = [...document.querySelectorAll("article[data-item]")];
const known = new Set(articles.map((article) => article.dataset.item));
let marks = {};

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) || "{}");
  } catch (error) {
    return {};
  }
}

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(marks));
  } catch (error) {
    document.getElementById("count").title = "this browser keeps nothing; save the marks before you leave";
  }
}

function show(article) {
  const mark = marks[article.dataset.item];
  for (const box of article.querySelectorAll("input[type=radio]")) box.checked = !!mark && box.value === mark.verdict;
  const note = article.querySelector("input[name=note]");
  if (document.activeElement !== note) note.value = mark && mark.note ? mark.note : "";
  const reason = article.querySelector("select[name=reason]");
  if (reason) reason.value = mark && mark.reason ? mark.reason : "";
  article.dataset.mark = mark && mark.verdict ? mark.verdict : "";
}

function sift() {
  const group = document.getElementById("group").value;
  const state = document.getElementById("state").value;
  for (const article of articles) {
    const mark = article.dataset.mark || "open";
    article.hidden = (group !== "" && article.dataset.group !== group) || (state !== "" && mark !== state);
  }
}

function count() {
  const verdicts = articles.map((article) => article.dataset.mark);
  const number = (verdict) => verdicts.filter((found) => found === verdict).length;
  document.getElementById("count").textContent =
    number("accept") + " accepted, " + number("reject") + " rejected, " + number("") + " open";
}

function changed(article) {
  const chosen = article.querySelector("input[type=radio]:checked");
  const note = article.querySelector("input[name=note]").value;
  const reason = article.querySelector("select[name=reason]");
  if (chosen) {
    marks[article.dataset.item] = { verdict: chosen.value, note: note };
    if (reason && reason.value) marks[article.dataset.item].reason = reason.value;
  }
  show(article);
  keep();
  count();
}

function save() {
  const text = JSON.stringify({ schema: SET.schema, set: SET.set, marks: marks }, null, 2) + "\n";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "review-" + SET.name + ".json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function load(file) {
  let found = null;
  try {
    found = JSON.parse(await file.text());
  } catch (error) {
    found = null;
  }
  if (!found || found.schema !== SET.schema || found.set !== SET.set || typeof found.marks !== "object") {
    alert(file.name + " holds no marks of this set");
    return;
  }
  for (const [item, mark] of Object.entries(found.marks)) if (known.has(item)) marks[item] = mark;
  refresh();
  keep();
}

function refresh() {
  articles.forEach(show);
  sift();
  count();
}

for (const article of articles) article.addEventListener("change", () => changed(article));
document.getElementById("group").addEventListener("change", sift);
document.getElementById("state").addEventListener("change", sift);
document.getElementById("outlines").addEventListener("change", (event) => {
  document.body.classList.toggle("bare", !event.target.checked);
});
document.getElementById("save").addEventListener("click", save);
document.getElementById("load").addEventListener("change", (event) => {
  if (event.target.files.length) load(event.target.files[0]);
  event.target.value = "";
});
marks = stored();
refresh();
