#!/bin/sh
# report_test.sh REPORT_SAMPLE: opens synthetic reports in headless Chromium, exercises them as a
# reader would, and asks that no script failed. Exit code 77 (skipped) without a working Chromium.
sample=$1

browser=
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then browser=$name; break; fi
done
if [ -z "$browser" ]; then
  echo "SKIP: no chromium here; on Debian: apt-get install chromium"
  exit 77
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# The page after its scripts have run.
dump() {
  timeout 20 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --disable-quic --no-first-run --disable-background-networking --disable-component-update \
    --disable-sync --user-data-dir="$folder/profile" --dump-dom "$1" 2>>"$folder/messages"
}

# Clicks, keys and drags, appended to a page; sets data-exercised when all went through.
cat >"$folder/exercise.html" <<'END'
<script>
(() => {
  const expect = (holds, what) => { if (!holds) throw new Error("not so: " + what); };
  const find = (selector) => [...document.querySelectorAll(selector)];
  const time = document.getElementById("time");
  const press = (key) => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const point = (element, type, x, y) => element.dispatchEvent(new MouseEvent(type,
    { clientX: x, clientY: y, buttons: 1, movementX: 9, movementY: 5, bubbles: true }));
  if (time) {
    expect(find(".figure").length >= 4, "at least four plots");
    expect(find(".figure path.curve").length >= 6, "curves are drawn");
    expect(find(".plot").every((plot) => !plot.innerHTML.includes("NaN")), "no NaN in a plot");
    const last = Number(time.max);
    press("ArrowRight");
    expect(Number(time.value) === Math.min(1, last), "the right arrow steps");
    const cursor = document.querySelector(".cursor").getAttribute("x1");
    time.value = last;
    time.dispatchEvent(new Event("input"));
    expect(last < 2 || document.querySelector(".cursor").getAttribute("x1") !== cursor,
           "the slider moves the plots' cursor");
    press("ArrowLeft");
    expect(Number(time.value) === Math.max(last - 1, 0), "the left arrow steps back");
    press(" ");
    expect(document.getElementById("play").textContent === "Pause", "space plays");
    press(" ");
    expect(document.getElementById("play").textContent === "Play", "space pauses");
    for (const select of find("select")) {
      for (let i = 0; i < select.options.length; i += 1) {
        select.selectedIndex = i;
        select.dispatchEvent(new Event("change"));
      }
    }
    for (const button of find(".legend button")) {
      button.click();
      button.click();
    }
    for (const legend of find(".legend")) [...legend.children].forEach((button) => button.click());
    const plot = document.querySelector(".plot").getBoundingClientRect();
    point(document.querySelector(".plot"), "pointermove", plot.left + plot.width / 2, plot.top);
    expect(last < 9 || Math.abs(Number(time.value) / last - 0.5) < 0.2, "dragging in a plot seeks");
    point(document.getElementById("stage"), "pointermove", 10, 10);
    const canvas = document.getElementById("stage");
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    expect(pixels.some((x) => x !== 0), "the replay is drawn");
  }
  document.body.dataset.exercised = "true";
})();
</script>
END

"$sample" "$folder" || { echo "FAIL: the sample reports were not written"; exit 1; }

failed=0
for page in planar loop spatial hostile single empty; do
  cat "$folder/exercise.html" >>"$folder/$page.html"
  dump "file://$folder/$page.html" >"$folder/dom"
  if [ ! -s "$folder/dom" ] && ! dump about:blank | grep -q "<body"; then
    echo "SKIP: $browser does not start here:"
    tail -n 5 "$folder/messages"
    exit 77
  fi
  body=$(grep -m 1 -o '<body[^>]*>' "$folder/dom")
  case $body in
    *data-error*) echo "FAIL: $page: $body"; failed=1 ;;
    *data-ready=\"true\"*data-exercised=\"true\"*) echo "ok: $page" ;;
    *) echo "FAIL: $page: the script did not reach its end: $body"; failed=1 ;;
  esac
done
exit $failed
