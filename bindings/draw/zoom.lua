-- zoom: the script in a Gantt chart: the wheel zooms in time (with Shift in processors), dragging
-- moves, a double click shows everything redraw. In a page, the wheel needs Ctrl. Without scripts
-- the chart is what it is.
return [==[
(function(){
var NS='http://www.w3.org/2000/svg',DAY=86400,
 STEPS=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,DAY,2*DAY,7*DAY,28*DAY],
 MONTHS='Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
function two(n){return (n<10?'0':'')+n}
function round(span,most){var s=Math.pow(10,Math.floor(Math.log10(span/most))),f=[1,2,5,10],i=0;
 while(f[i]*s*most<span*(1-1e-9))i++;return f[i]*s}
function date(t,step){var d=new Date(t*1000);
 if(t%DAY==0)return d.getUTCDate()+' '+MONTHS[d.getUTCMonth()];
 return two(d.getUTCHours())+':'+two(d.getUTCMinutes())+(step<60?':'+two(d.getUTCSeconds()):'')}
function start(root){
 var p=root.querySelector('.op'),q=root.querySelector('.oq'),ox=root.querySelector('.ox'),
  oy=root.querySelector('.oy'),ol=root.querySelector('.ol'),
  home=p.getAttribute('viewBox').split(' ').map(Number),view=home.slice(),
  X=+p.getAttribute('x'),Y=+p.getAttribute('y'),W=+p.getAttribute('width'),
  H=+p.getAttribute('height'),d=root.dataset,from=+d.from,to=+d.to,procs=+d.procs,
  clock=d.clock===undefined?null:+d.clock,unit=+d.unit,bottom=+d.bottom,boxes=null,drag=null,
  few=d.few!==undefined,fixed=[].slice.call(root.querySelectorAll('.oz')),over=d.over!==undefined;
 function px(x){return X+(x-view[0])/view[2]*W}
 function py(y){return Y+(y-view[1])/view[3]*H}
 function text(g,x,y,s,size,turn,cls,fill){var t=document.createElementNS(NS,'text');
  t.setAttribute('x',x.toFixed(1));t.setAttribute('y',y.toFixed(1));t.textContent=s;
  if(size)t.setAttribute('font-size',size);if(cls)t.setAttribute('class',cls);
  if(fill)t.setAttribute('fill',fill);
  if(turn)t.setAttribute('transform','rotate(-90 '+x.toFixed(1)+' '+(y-size*.35).toFixed(1)+')');
  g.appendChild(t)}
 function lines(g,path){g.textContent='';var e=document.createElementNS(NS,'path');
  e.setAttribute('class','og-line');e.setAttribute('d',path);g.appendChild(e)}
 function times(){
  var span=(to-from)*view[2]/home[2],low=from+(to-from)*view[0]/home[2],list=[],path='',step,i,t;
  if(clock!==null){for(i=0;i<STEPS.length-1&&span/STEPS[i]>W/64;)i++;step=STEPS[i];
   if(span<W/64)step=round(span,W/85);
   for(t=Math.ceil((low+clock)/step);t*step<=low+span+clock;t++)
    list.push([t*step-clock,date(t*step,step),t*step%DAY==0])}
  else{step=round(span/unit,W/85);
   for(t=Math.ceil(low/unit/step);t*step*unit<=low+span;t++)
    list.push([t*step*unit,String(+(t*step).toPrecision(10))])}
  list.forEach(function(e){e.x=px((e[0]-from)/(to-from)*home[2]);
   path+='M'+e.x.toFixed(1)+' '+Y+'V'+(bottom+5)});
  lines(ox,path);
  list.forEach(function(e){text(ox,e.x,bottom+19,e[1],0,false,e[2]&&'om')})}
 function rows(){
  var span=procs*view[3]/home[3],low=procs-procs*(view[1]+view[3])/home[3],path='',at=[],
   step=few?1:Math.max(1,round(span,H/40)),i,y;
  for(i=Math.ceil(low/step);i*step<=low+span&&!(few&&i>=procs);i++)
   at.push([py((procs-i*step-(few?.5:0))/procs*home[3]),i*step]);
  at=at.filter(function(e){return e[0]>=Y&&e[0]<=Y+H});
  if(!few)at.forEach(function(e){path+='M'+(X-4)+' '+e[0].toFixed(1)+'h'+(W+4)});
  lines(oy,path);at.forEach(function(e){text(oy,X-8,e[0]+4,e[1])})}
 function read(){boxes=[];[].forEach.call(p.querySelectorAll('path[class^="o"]'),function(e){
  var c=/^o(\d+)$/.exec(e.getAttribute('class')),m,best=null,
   r=/M(-?\d+) (-?\d+)h(\d+)v(\d+)/g,s=e.getAttribute('d'),t=e.querySelector('title');
  if(!c||!t)return;
  while((m=r.exec(s)))if(!best||+m[4]>best[3])best=[+m[1],+m[2],+m[3],+m[4]];
  boxes.push([best,/^\S+ (.*?)(, attempt .*|, pack .*)?$/m.exec(t.textContent)[1],
   over||/attempt \d+: /.test(t.textContent),getComputedStyle(e).fill])})}
 function ink(c){var m=/(\d+), *(\d+), *(\d+)/.exec(c);
  return m&&.299*m[1]+.587*m[2]+.114*m[3]<=115?'#fff':''}
 function names(){
  if(!boxes)read();ol.textContent='';var n=0;
  boxes.forEach(function(b){
   var x=Math.max(px(b[0][0]),X),x2=Math.min(px(b[0][0]+b[0][2]),X+W),y=Math.max(py(b[0][1]),Y),
    y2=Math.min(py(b[0][1]+b[0][3]),Y+H),w=x2-x,h=y2-y,i,size,l;
   if(w<12||h<12||n>600)return;
   for(i=0;i<2;i++){size=i?10:12;l=b[1].length*size*.58+6;
    var flat=w>=l&&h>=size+2,turn=!flat&&h>=l&&w>=size+2;
    if(flat||turn){n++;text(ol,(x+x2)/2,(y+y2)/2+size*.35,b[1],size,turn,b[2]?'oh':'',
     b[2]?'':ink(b[3]));return}}})}
 function draw(){
  var whole=view[2]==home[2]&&view[3]==home[3];
  p.setAttribute('viewBox',view.join(' '));
  if(q){var v=q.getAttribute('viewBox').split(' ');v[0]=view[0];v[2]=view[2];
   q.setAttribute('viewBox',v.join(' '))}
  [].forEach.call(root.querySelectorAll('pattern'),function(e){if(!/k-/.test(e.id))
   e.setAttribute('patternTransform','scale('+100*view[2]/home[2]+' '+100*view[3]/home[3]+')')});
  fixed.forEach(function(e){e.style.display=whole?'':'none'});
  times();rows();names()}
 function clip(){for(var i=0;i<2;i++){
  view[i+2]=Math.min(view[i+2],home[i+2]);
  view[i]=Math.max(0,Math.min(view[i],home[i+2]-view[i+2]))}}
 function where(e){var m=root.getScreenCTM().inverse(),o=root.createSVGPoint();
  o.x=e.clientX;o.y=e.clientY;o=o.matrixTransform(m);
  return [(o.x-X)/W,(o.y-Y)/H]}
 root.addEventListener('wheel',function(e){
  if(root!==document.documentElement&&!e.ctrlKey)return;
  var at=where(e),i=e.shiftKey?1:0,f=Math.pow(1.0015,e.deltaY||e.deltaX);
  if(at[0]<0||at[0]>1||at[1]<0)return;
  e.preventDefault();at[i]=Math.max(0,Math.min(1,at[i]));
  var size=Math.max(home[i+2]/5e4,Math.min(home[i+2],view[i+2]*f));
  view[i]+=at[i]*(view[i+2]-size);view[i+2]=size;clip();draw()},{passive:false});
 root.addEventListener('pointerdown',function(e){var at=where(e);
  if(at[0]>=0&&at[0]<=1&&at[1]>=0&&(view[2]<home[2]||view[3]<home[3]))drag=[at,view.slice()]});
 root.addEventListener('pointermove',function(e){if(!drag)return;var at=where(e);
  if(!e.buttons){drag=null;return}
  view[0]=drag[1][0]-(at[0]-drag[0][0])*view[2];view[1]=drag[1][1]-(at[1]-drag[0][1])*view[3];
  clip();draw()});
 root.addEventListener('pointerup',function(){drag=null});
 root.addEventListener('dblclick',function(){view=home.slice();draw()});
}
[].forEach.call(document.querySelectorAll('svg.og'),start);
})();
]==]
